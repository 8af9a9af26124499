-- number of the first fact that stays
local m = fields('last', 'first')
local first = tonumber(m[2] or '1')
local stays = math.min(tonumber(ARGV[1]), tonumber(m[1] or '0') + 1)
if stays <= first then return {'0'} end
check()
redis.call('HSET', TOLD, 'first', text(stays))
drop(stays)
wake()
return {text(stays - first)}
