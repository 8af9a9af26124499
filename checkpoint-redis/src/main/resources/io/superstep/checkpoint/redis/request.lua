-- time or nothing: requests that the thread is resumed when its lease is released
local m = fields('owner', 'until')
if not m[1] or now(ARGV[1]) >= tonumber(m[2]) then return {'FREE'} end
redis.call('HSET', META, 'requested', '1')
return {'HELD'}
