-- time or nothing, how long to remember the fence, head or nothing if any may go
local m = fields('head', 'owner', 'fence', 'until', 'mark', 'holes', 'state', 'lost')
if m[2] and now(ARGV[1]) < tonumber(m[4]) then return {'BUSY', m[2], m[3], m[4]} end
local queued = redis.call('HLEN', QUEUE)
if ARGV[3] ~= '' and (m[1] ~= ARGV[3] or m[2] or queued > 0) then return {'AGAIN'} end
local removed = redis.call('LLEN', LOG) - tonumber(m[6] or '0')
local known = m[5] or '0'
for _, key in ipairs(KEYS) do redis.call('DEL', key) end
if known ~= '0' then
  redis.call('HSET', META, 'fence', m[3] or '0', 'mark', known, 'lost', '0')
  redis.call('PEXPIRE', META, ARGV[2])
end
return {'OK', text(removed), known}
