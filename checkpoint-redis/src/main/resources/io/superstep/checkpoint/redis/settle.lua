-- number, how long to remember it: nobody who has this number may begin with the thread any more
local m = fields('head', 'state', 'owner', 'lost', 'mark')
local idle = redis.call('HLEN', QUEUE) == 0 and redis.call('LLEN', NOTES) == 0 and not m[3]
if not idle or (m[1] and (m[2] ~= 'F' or m[4] ~= '0')) then return {'LIVE'} end
if tonumber(m[5] or '0') < tonumber(ARGV[1]) then redis.call('HSET', META, 'mark', ARGV[1]) end
if m[1] then return {'DONE', text(redis.call('PTTL', META))} end
redis.call('PEXPIRE', META, ARGV[2])
return {'GONE', '0'}
