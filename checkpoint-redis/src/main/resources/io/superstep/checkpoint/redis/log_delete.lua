-- how long the fence is remembered
if redis.call('EXISTS', TOLD) == 0 then return {'0'} end
redis.call('DEL', EVENTS, FRAMES, CHUNKS, OVER)
redis.call('HSET', TOLD, 'closed', '1', 'last', '0', 'first', '1', 'own', '1', 'riding', '0')
-- The first fence names a life; this is none that another fence could name.
redis.call('HSET', TOLD, 'life', (fields('life')[1] or '') .. 'x')
redis.call('PEXPIRE', TOLD, ARGV[1])
wake()
return {'1'}
