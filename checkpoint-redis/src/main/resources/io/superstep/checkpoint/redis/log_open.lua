-- fence, ttl or nothing
local m = fields('fence', 'last', 'closed', 'life')
local seen, by = tonumber(m[1] or '0'), tonumber(ARGV[1])
if by < seen or (m[3] == '1' and by == seen) then return {'FENCED', text(seen)} end
if by > seen then
  redis.call('HSET', TOLD, 'fence', ARGV[1], 'own', text(tonumber(m[2] or '0') + 1), 'closed', '0',
      'life', m[4] or ARGV[1])
  stay(ARGV[2])
end
return {'OK', m[2] or '0'}
