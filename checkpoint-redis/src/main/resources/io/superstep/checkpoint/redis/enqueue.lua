-- id, number, input
local m = fields('mark')
if redis.call('HEXISTS', QUEUE, ARGV[1]) == 1 or redis.call('LPOS', TAKEN, ARGV[1]) then
  if m[1] then touch('mark', m[1]) end
  return {'OK'}
end
if tonumber(ARGV[2]) <= tonumber(m[1] or '0') then return {'STALE', m[1]} end
local place = redis.call('HINCRBY', META, 'queued', 1) -- refuses what is no number
redis.call('HSET', QUEUE, ARGV[1], text(place) .. ' ' .. ARGV[3])
redis.call('HSET', META, 'mark', ARGV[2])
persist()
return {'OK'}
