-- time: removes what has expired
check()
local expired = redis.call('ZRANGEBYSCORE', EXPIRY, '-inf', ARGV[1], 'LIMIT', 0, 1000)
for _, address in ipairs(expired) do put(address, '', '') end
return {string.format('%.0f', #expired)}
