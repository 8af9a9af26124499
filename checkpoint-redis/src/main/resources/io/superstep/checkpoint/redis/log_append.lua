-- fence, how many facts are kept or nothing, how many chunks, ttl or nothing, then of each event:
-- k for a key frame, f for another fact, c for what rides beside; its number; the tasks it is of,
-- or whose words it makes void (* for all); the event
local m = fields('fence', 'last', 'closed', 'own', 'riding', 'first', 'life')
local seen, by = tonumber(m[1] or '0'), tonumber(ARGV[1])
if by < seen or (m[3] == '1' and by == seen) then return {'FENCED', text(seen)} end
local following = tonumber(m[2] or '0') + 1
local start = following
for at = 5, #ARGV, 4 do
  if ARGV[at] ~= 'c' then
    start = tonumber(ARGV[at + 1])
    break
  end
end
local last = start - 1
for at = 5, #ARGV, 4 do
  if ARGV[at] ~= 'c' then last = last + 1 end
  if tonumber(ARGV[at + 1]) ~= last then
    return {'GAP', ARGV[at + 1], text(last), text(following - 1)}
  end
end
local own = by > seen and following or tonumber(m[4] or '1')
if start > following or start < own then
  return {'GAP', text(start), text(following), text(following - 1)}
end
-- A field that is no number fails here, before anything is written.
local riding, first = tonumber(m[5] or '0') + 0, tonumber(m[6] or '1') + 0
check()

local function void(task)
  if redis.call('LLEN', CHUNKS) == 0 then return end
  local all = redis.call('LRANGE', CHUNKS, 0, -1)
  redis.call('DEL', CHUNKS)
  for _, chunk in ipairs(all) do
    if task == '*' or string.find(chunk, '\n' .. task .. '\n', 1, true) then
      redis.call('RPUSH', OVER, string.match(chunk, '^[^\n]*'))
    else
      redis.call('RPUSH', CHUNKS, chunk)
    end
  end
end

local function cap(list, most)
  for _ = most + 1, redis.call('LLEN', list) do
    local id = string.match(redis.call('LPOP', list), '^%d+%-%d+')
    if id then redis.call('XDEL', EVENTS, id) end
  end
end

last = following - 1
local known = start < following
for at = 5, #ARGV, 4 do
  local kind, number, tasks = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  known = known and (kind == 'c' or tonumber(number) < following)
  if not known and kind == 'c' then
    riding = riding + 1
    local id = number .. '-' .. riding
    redis.call('XADD', EVENTS, id, kind, ARGV[at + 3])
    redis.call('RPUSH', CHUNKS, id .. '\n' .. tasks .. '\n')
  elseif not known then
    last, riding = tonumber(number), 0
    redis.call('XADD', EVENTS, number .. '-0', kind, ARGV[at + 3])
    if kind == 'k' then redis.call('ZADD', FRAMES, number, number) end
    if tasks ~= '' then void(tasks) end
  end
end
cap(CHUNKS, tonumber(ARGV[3]))
cap(OVER, 256)
if ARGV[2] ~= '' and last - first + 1 > tonumber(ARGV[2]) then
  first = last - tonumber(ARGV[2]) + 1
  drop(first)
end
redis.call('HSET', TOLD, 'last', text(last), 'riding', riding, 'first', text(first),
    'life', m[7] or ARGV[1])
if by > seen then redis.call('HSET', TOLD, 'fence', ARGV[1], 'own', text(own), 'closed', '0') end
stay(ARGV[4])
wake()
return {'OK'}
