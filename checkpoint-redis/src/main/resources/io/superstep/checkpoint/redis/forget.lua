-- time or nothing, how long to remember the fence, head or nothing if any may go. A thread can be
-- removed whatever its keys hold: a key or a field that is damaged counts as none.
local function is(key, kind) return redis.call('TYPE', key).ok == kind end

local function whole(value)
  local number = tonumber(value or '')
  return number and number >= 0 and number < 2 ^ 53 and number == math.floor(number) and number
end

local m = is(META, 'hash')
    and fields('head', 'owner', 'fence', 'until', 'mark', 'holes', 'state', 'lost') or {}
local ends = whole(m[4])
if m[2] and ends and whole(m[3]) and now(ARGV[1]) < ends then return {'BUSY', m[2], m[3], m[4]} end
local queued = is(QUEUE, 'hash') and redis.call('HLEN', QUEUE) or 0
if ARGV[3] ~= '' and (m[1] ~= ARGV[3] or m[2] or queued > 0) then return {'AGAIN'} end
local length = is(LOG, 'list') and redis.call('LLEN', LOG) or 0
local removed = math.max(0, length - (whole(m[6]) or 0))
local known = whole(m[5]) and m[5] or '0'
for _, key in ipairs(KEYS) do redis.call('DEL', key) end
if known ~= '0' then
  redis.call('HSET', META, 'fence', whole(m[3]) and m[3] or '0', 'mark', known, 'lost', '0')
  redis.call('PEXPIRE', META, ARGV[2])
end
return {'OK', text(removed), known}
