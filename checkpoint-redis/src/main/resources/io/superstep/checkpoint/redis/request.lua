-- time or nothing: whoever holds the lease is to see to it that the thread is resumed
local m = fields('owner', 'until')
if not m[1] or now(ARGV[1]) >= tonumber(m[2]) then return {'FREE'} end
redis.call('HSET', META, 'requested', '1')
return {'HELD'}
