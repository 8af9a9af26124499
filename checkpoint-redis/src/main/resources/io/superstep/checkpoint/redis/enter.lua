-- thread, a number that the new one must be above
local number = redis.call('INCR', NUMBER)
if number <= tonumber(ARGV[2]) then
  number = tonumber(ARGV[2]) + 1
  redis.call('SET', NUMBER, string.format('%.0f', number))
end
redis.call('ZADD', LIVE, 'GT', string.format('%.0f', number), ARGV[1])
return {string.format('%.0f', number)}
