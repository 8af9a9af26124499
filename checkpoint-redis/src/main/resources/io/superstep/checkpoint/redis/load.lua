-- id or nothing for the head, how many bytes of the log to bring at most, ttl or nothing
local m = fields('head', 'cut', 'snapshot', 'total', 'owner', 'state', 'lost', 'version')
local id = ARGV[1] ~= '' and ARGV[1] or m[1]
if not m[1] or not id then return {} end
local cut = tonumber(m[2] or '0')
local length = redis.call('LLEN', LOG)
local at = sequence(id)
if at <= cut or at > cut + length then return ARGV[1] == '' and {id} or {} end
if ARGV[3] ~= '' and not m[5] and m[6] == 'F' and (m[7] or '0') == '0'
    and redis.call('HLEN', QUEUE) == 0 and redis.call('LLEN', NOTES) == 0 then
  expire(ARGV[3])
end
local from = cut + 1
local base, snapshot = '', ''
if m[3] and sequence(m[3]) <= at then
  from = sequence(m[3])
  base = m[3]
  snapshot = redis.call('GET', SNAPSHOT)
end
local size = math.max(1, math.floor(tonumber(ARGV[2]) * length / tonumber(m[4])))
local first = math.max(from, at - size + 1)
local notes, left = {}, ''
if id == m[1] then
  notes = redis.call('LRANGE', NOTES, 0, -1)
else
  left = redis.call('HGET', LEFT, id) or ''
end
return {id, text(cut), m[8] or '0', text(first), text(size), base, snapshot, left, notes,
    redis.call('LRANGE', LOG, first - cut - 1, at - cut - 1)}
