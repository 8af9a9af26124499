-- head, number of notes seen, notes that are worth as much...
local m = fields('head')
if m[1] ~= ARGV[1] or redis.call('LLEN', NOTES) ~= tonumber(ARGV[2]) then return {'AGAIN'} end
redis.call('DEL', NOTES)
for at = 3, #ARGV do redis.call('RPUSH', NOTES, ARGV[at]) end
return {'OK'}
