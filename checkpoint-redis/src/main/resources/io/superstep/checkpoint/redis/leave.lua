-- thread, its mark, DONE or GONE, when it expires or nothing, time
local number = redis.call('ZSCORE', LIVE, ARGV[1])
if number and tonumber(number) <= tonumber(ARGV[2]) then redis.call('ZREM', LIVE, ARGV[1]) end
if ARGV[3] == 'DONE' then
  redis.call('ZADD', DONE, 0, ARGV[1])
  if ARGV[4] ~= '' then redis.call('ZADD', EXPIRY, ARGV[4], ARGV[1]) end
else
  redis.call('ZREM', DONE, ARGV[1])
  redis.call('ZREM', EXPIRY, ARGV[1])
end
for _, thread in ipairs(redis.call('ZRANGEBYSCORE', EXPIRY, '-inf', ARGV[5], 'LIMIT', 0, 100)) do
  redis.call('ZREM', DONE, thread)
  redis.call('ZREM', EXPIRY, thread)
end
return {'OK'}
