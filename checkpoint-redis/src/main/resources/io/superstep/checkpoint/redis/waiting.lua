-- the inputs that wait, each behind its place
return redis.call('HVALS', QUEUE)
