-- behind which id, how many, which life of the thread, cursor
local m = fields('last', 'first', 'life')
if (m[3] or '0') ~= ARGV[3] then return {'LIFE', m[1] or '0'} end
local first = tonumber(m[2] or '1')
if tonumber(ARGV[4]) < first - 1 then return {'TRIMMED', text(first)} end
local page = redis.call('XRANGE', EVENTS, '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
local last = tonumber(m[1] or '0')
if #page == 0 and tonumber(ARGV[4]) < last then return {'TRIMMED', text(last + 1)} end
return {'OK', page}
