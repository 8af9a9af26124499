-- owner, number to be the fence, time or nothing, how long
local m = fields('owner', 'fence', 'until', 'lost', 'mark')
local at = now(ARGV[3])
local ends = text(at + tonumber(ARGV[4]))
if m[1] and at < tonumber(m[3]) then
  if m[1] ~= ARGV[1] then return {'BUSY', m[1], m[2], m[3]} end
  redis.call('HSET', META, 'until', ends)
  return {'OK', m[2], ends}
end
if tonumber(ARGV[2]) <= tonumber(m[5] or '0') then return {'STALE', m[5]} end
local lost = tonumber(m[4] or '0') + (m[1] and 1 or 0)
redis.call('HSET', META, 'owner', ARGV[1], 'fence', ARGV[2], 'until', ends, 'lost', lost,
    'mark', ARGV[2])
redis.call('HDEL', META, 'requested')
persist()
return {'OK', ARGV[2], ends}
