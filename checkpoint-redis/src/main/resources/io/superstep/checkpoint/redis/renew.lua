-- fence, owner, time or nothing, how long
local m = fields('owner', 'fence', 'head')
if m[1] ~= ARGV[2] or m[2] ~= ARGV[1] then return {'LEASE', m[2] or '0', m[3] or ''} end
local ends = text(now(ARGV[3]) + tonumber(ARGV[4]))
redis.call('HSET', META, 'until', ends)
return {'OK', ends}
