-- fence, owner, how, ttl of what is done, ttl of what is not, of what never was, a name
-- for this call: its reply may be lost, and somebody else may have called before
local name = table.concat({ARGV[1], ARGV[2], ARGV[7]}, ' ')
local m = fields('owner', 'fence', 'head', 'state', 'lost', 'mark', 'released', 'release',
    'requested')
if ARGV[3] == 'HANDED_OVER' and not m[1] and m[2] == ARGV[1] and m[7] ~= name
    and m[3] and m[4] ~= 'F' then
  redis.call('HSET', META, 'lost', text(math.max(1, tonumber(m[5] or '0')))) -- released before
  return {'LEASE'}
end
if m[1] ~= ARGV[2] or m[2] ~= ARGV[1] then
  if m[7] ~= name then return {'LEASE'} end
  local kind, wakes = string.match(m[8], '(%a+) (%d)')
  return {kind, m[6], wakes}
end
local queued = redis.call('HLEN', QUEUE) > 0
local noted = redis.call('LLEN', NOTES) > 0
local idle = not m[3] or m[4] == 'F'
local lost = m[5]
if ARGV[3] == 'SETTLED' then
  lost = '0'
elseif ARGV[3] == 'HANDED_OVER' and tonumber(lost or '0') < 1 then
  lost = '1'
end
local kind = 'LIVE'
if not m[3] and not queued then
  kind = 'GONE'
elseif idle and not queued and not noted and lost == '0' then
  kind = 'DONE'
end
local wakes = (queued and idle) and '1' or '0'
if not idle and noted and m[9] then wakes = '2' end -- if all questions are answered
redis.call('HDEL', META, 'owner', 'until')
redis.call('HSET', META, 'lost', lost, 'released', name, 'release', kind .. ' ' .. wakes)
if kind == 'GONE' then
  redis.call('PEXPIRE', META, ARGV[6])
elseif kind == 'DONE' and ARGV[4] ~= '' then
  expire(ARGV[4])
elseif kind == 'LIVE' and wakes ~= '1' and ARGV[5] ~= '' then
  expire(ARGV[5])
end
return {kind, m[6], wakes}
