-- version, ids...
local m = fields('head', 'cut', 'version', 'total', 'span', 'snapshot', 'holes')
if m[3] ~= ARGV[1] then return {'AGAIN'} end
local cut = tonumber(m[2] or '0')
local length = redis.call('LLEN', LOG)
redis.call('HLEN', LEFT)
local freed = 0
for at = 2, #ARGV do
  local found = entry(ARGV[at], cut, length)
  if not found or ARGV[at] == m[1] then return {'AGAIN'} end
  freed = freed + #found
end
local version = text(tonumber(m[3]) + 1)
local total = text(tonumber(m[4]) - freed)
local holes = text(tonumber(m[7] or '0') + #ARGV - 1)
for at = 2, #ARGV do
  redis.call('LSET', LOG, sequence(ARGV[at]) - cut - 1, '')
  redis.call('HDEL', LEFT, ARGV[at])
  if ARGV[at] == m[6] then
    redis.call('DEL', SNAPSHOT)
    redis.call('HDEL', META, 'snapshot')
    redis.call('HSET', META, 'span', m[4])
  end
end
redis.call('HSET', META, 'version', version, 'total', total, 'holes', holes)
return {'OK'}
