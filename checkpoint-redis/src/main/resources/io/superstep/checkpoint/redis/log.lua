-- What all scripts about the events of a thread share. A fact has the id <number>-0 in the stream,
-- and what rides beside it the ids behind that. Whoever follows is woken by a message.
local EVENTS, TOLD, FRAMES, CHUNKS, OVER = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

local function text(number) return string.format('%.0f', number) end

local function fields(...) return redis.call('HMGET', TOLD, ...) end

local function check()
  redis.call('XLEN', EVENTS)
  redis.call('ZCARD', FRAMES)
  redis.call('LLEN', CHUNKS)
  redis.call('LLEN', OVER)
end

-- Drops what nobody needs to read the facts from this one on: a fact is read from the last key
-- frame on that is not behind it.
local function drop(first)
  local frame = redis.call('ZREVRANGEBYSCORE', FRAMES, first, '-inf', 'LIMIT', 0, 1)[1]
  if frame and redis.call('ZREMRANGEBYSCORE', FRAMES, '-inf', '(' .. frame) > 0 then
    redis.call('XTRIM', EVENTS, 'MINID', frame .. '-0')
  end
end

-- All keys expire together, or none: facts must not go before their numbers.
local function stay(ttl)
  for _, key in ipairs(KEYS) do
    if ttl ~= '' then redis.call('PEXPIRE', key, ttl) else redis.call('PERSIST', key) end
  end
end

local function wake() redis.call('PUBLISH', EVENTS, '') end

