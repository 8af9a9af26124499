-- fence, owner, head, digest, whether something was done, notes...
local m = fields('owner', 'fence', 'head', 'noted')
if m[1] ~= ARGV[2] or m[2] ~= ARGV[1] then return {'LEASE', m[2] or '0', m[3] or ''} end
if m[3] ~= ARGV[3] then return {'HEAD', m[3] or ''} end
local length = redis.call('LLEN', NOTES)
if m[4] == ARGV[4] then
  touch('noted', m[4])
  return {'OK', text(length)}
end
for at = 6, #ARGV do length = redis.call('RPUSH', NOTES, ARGV[at]) end
if ARGV[5] == '1' then redis.call('HSET', META, 'lost', '0') end
redis.call('HSET', META, 'noted', ARGV[4])
return {'OK', text(length)}
