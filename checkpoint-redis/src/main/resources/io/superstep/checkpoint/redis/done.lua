-- behind which mark, up to which number or nothing for the last one, how many
local last = ARGV[2] ~= '' and ARGV[2] or redis.call('GET', NUMBER) or '0'
return {last, redis.call('ZRANGEBYSCORE', DONE, '(' .. ARGV[1], last, 'WITHSCORES', 'LIMIT', 0, ARGV[3])}
