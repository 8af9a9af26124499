-- What all scripts about a thread share. Every check comes before the first write: Redis takes
-- nothing back. A key is read before it is written, so that one of a foreign type is found in time.
local META, LOG, SNAPSHOT, NOTES, LEFT, QUEUE, TAKEN =
    KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]

-- Lua would write large numbers as 1e+12.
local function text(number) return string.format('%.0f', number) end

-- Replicas are waited for by what was written, and whoever repeats something may have waited in vain.
local function touch(field, value) redis.call('HSET', META, field, value) end

local function fields(...) return redis.call('HMGET', META, ...) end

-- The time by the clock of Redis, in milliseconds, unless another clock was given.
local function now(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function sequence(id) return tonumber(string.match(id, '^%d+')) end

-- The checkpoint that stands in the log under its id; false if there is none.
local function entry(id, cut, length)
  local at = sequence(id) - cut
  if at < 1 or at > length then return false end
  local found = redis.call('LINDEX', LOG, at - 1)
  return found and string.sub(found, 1, #id + 1) == id .. ' ' and found
end

local function persist()
  for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
end

local function expire(time)
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, time) end
end

