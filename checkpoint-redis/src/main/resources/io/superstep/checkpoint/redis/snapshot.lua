-- fence, owner, id, when to look again, state or nothing if it is not worth it
local m = fields('owner', 'fence', 'head')
if m[1] ~= ARGV[2] or m[2] ~= ARGV[1] or m[3] ~= ARGV[3] then return {'LATE'} end
if ARGV[5] ~= '' then
  redis.call('SET', SNAPSHOT, ARGV[5])
  redis.call('HSET', META, 'snapshot', ARGV[3], 'span', #ARGV[5])
end
redis.call('HSET', META, 'check', ARGV[4])
return {'OK'}
