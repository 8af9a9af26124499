-- first, last or nothing for the end, how many bytes at most: the end of that part of the log
local m = fields('cut', 'total', 'version', 'head')
local cut = tonumber(m[1] or '0')
local length = redis.call('LLEN', LOG)
local last = ARGV[2] ~= '' and math.min(tonumber(ARGV[2]), cut + length) or cut + length
local size = math.max(1, math.floor(tonumber(ARGV[3]) * length / math.max(1, tonumber(m[2] or '0'))))
local first = math.max(tonumber(ARGV[1]), cut + 1, last - size + 1)
if length == 0 or last < first then
  return {text(cut), m[3] or '0', m[4] or '', text(cut + 1), {}}
end
return {text(cut), m[3] or '0', m[4] or '', text(first),
    redis.call('LRANGE', LOG, first - cut - 1, last - cut - 1)}
