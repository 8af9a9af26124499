-- behind which thread or nothing, how many
return redis.call('ZRANGEBYLEX', DONE, ARGV[1] ~= '' and '(' .. ARGV[1] or '-', '+', 'LIMIT', 0, ARGV[2])
