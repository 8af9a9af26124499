-- first, how many bytes of the log to look at: of each checkpoint its size and its first line
local m = fields('cut', 'total', 'version', 'head')
local cut = tonumber(m[1] or '0')
local length = redis.call('LLEN', LOG)
local size = math.max(1, math.floor(tonumber(ARGV[2]) * length / math.max(1, tonumber(m[2] or '0'))))
local first = math.max(tonumber(ARGV[1]), cut + 1)
local lines = {}
if length > 0 and first <= cut + length then
  for _, each in ipairs(redis.call('LRANGE', LOG, first - cut - 1, first - cut - 2 + size)) do
    lines[#lines + 1] = #each == 0 and '' or #each .. ' ' .. string.match(string.sub(each, 1, 200), '^[^\n]*')
  end
end
return {text(cut), m[3] or '0', m[4] or '', text(cut + length), lines}
