-- version, last to go, how many that are none go, how many bytes more, time of the first that
-- stays, then each that becomes a base: its sequence, its entry
local m = fields('cut', 'version', 'total', 'span', 'snapshot', 'holes')
if m[2] ~= ARGV[1] then return {'AGAIN'} end
local cut = tonumber(m[1] or '0')
local last = tonumber(ARGV[2])
if last <= cut or last >= cut + redis.call('LLEN', LOG) then return {'AGAIN'} end
local left = redis.call('HKEYS', LEFT)
local length = redis.call('LLEN', LOG)
for at = 7, #ARGV, 2 do
  if not entry(string.match(ARGV[at], '^[^ ]*'), cut, length) then return {'AGAIN'} end
end
local total = tonumber(m[3]) + tonumber(ARGV[4])
local span = tonumber(m[4])
local drops = m[5] and sequence(m[5]) <= last
if drops or not m[5] then span = total end
local version = text(tonumber(m[2]) + 1)
total, span = text(total), text(span)
local holes = text(tonumber(m[6] or '0') - tonumber(ARGV[3]))
local outdated = {}
for _, id in ipairs(left) do
  if sequence(id) <= last then outdated[#outdated + 1] = id end
end
for at = 6, #ARGV, 2 do
  redis.call('LSET', LOG, tonumber(ARGV[at]) - cut - 1, ARGV[at + 1])
end
redis.call('LTRIM', LOG, last - cut, -1)
for _, id in ipairs(outdated) do redis.call('HDEL', LEFT, id) end
if drops then
  redis.call('DEL', SNAPSHOT)
  redis.call('HDEL', META, 'snapshot')
end
redis.call('HSET', META, 'cut', text(last), 'version', version,
    'total', total, 'span', span, 'first', ARGV[5], 'holes', holes)
return {'OK'}
