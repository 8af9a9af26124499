-- member: removes it although it is not the name of a thread
redis.call('ZREM', LIVE, ARGV[1])
redis.call('ZREM', DONE, ARGV[1])
redis.call('ZREM', EXPIRY, ARGV[1])
return {'OK'}
