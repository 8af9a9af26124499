-- behind which mark, up to which number or nothing for the last one, how many
local last = ARGV[2]
if last == '' then
  -- The counter may be lost or damaged; no name is behind the highest one.
  local highest = redis.call('ZREVRANGE', DONE, 0, 0, 'WITHSCORES')[2]
  last = string.format('%.0f', math.max(tonumber(redis.call('GET', NUMBER) or '0') or 0,
      tonumber(highest or '0')))
end
return {last, redis.call('ZRANGEBYSCORE', DONE, '(' .. ARGV[1], last, 'WITHSCORES', 'LIMIT', 0, ARGV[3])}
