-- address
return {redis.call('HGET', ITEMS, ARGV[1]) or ''}
