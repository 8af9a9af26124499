-- head, number of notes seen, answer or nothing if it was given before
local m = fields('head')
if m[1] ~= ARGV[1] then return {'HEAD', m[1] or ''} end
if ARGV[3] == '' then
  touch('head', ARGV[1])
  return {'OK'}
end
if redis.call('LLEN', NOTES) ~= tonumber(ARGV[2]) then return {'AGAIN'} end
redis.call('RPUSH', NOTES, ARGV[3])
return {'OK'}
