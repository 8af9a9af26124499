-- thread, its mark, DONE or GONE, ttl or nothing
local number = redis.call('ZSCORE', LIVE, ARGV[1])
if number and tonumber(number) <= tonumber(ARGV[2]) then redis.call('ZREM', LIVE, ARGV[1]) end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local left = tonumber(redis.call('ZSCORE', DONE, ARGV[1]) or '0')
if left <= tonumber(ARGV[2]) then -- else it was left again since
  if ARGV[3] == 'DONE' then
    redis.call('ZADD', DONE, ARGV[2], ARGV[1])
  else
    redis.call('ZREM', DONE, ARGV[1])
  end
  if ARGV[3] == 'DONE' and ARGV[4] ~= '' then
    redis.call('ZADD', EXPIRY, string.format('%.0f', now + tonumber(ARGV[4])), ARGV[1])
  else
    redis.call('ZREM', EXPIRY, ARGV[1])
  end
end
for _, thread in ipairs(redis.call('ZRANGEBYSCORE', EXPIRY, '-inf', string.format('%.0f', now),
    'LIMIT', 0, 100)) do
  redis.call('ZREM', DONE, thread)
  redis.call('ZREM', EXPIRY, thread)
end
return {'OK'}
