-- time or nothing
local m = fields('head', 'state', 'time', 'owner', 'until', 'lost', 'cut')
local queued = redis.call('HLEN', QUEUE)
if not m[1] and queued == 0 then return {} end
local leased = m[4] and now(ARGV[1]) < tonumber(m[5])
local lost = tonumber(m[6] or '0') + ((m[4] and not leased) and 1 or 0)
-- The entry of the head; empty if there is none, or if a field is damaged.
local function last()
  local cut = m[7] or '0'
  if not string.match(m[1], '^%d+-') or not string.match(cut, '^%d+$') then return '' end
  return entry(m[1], tonumber(cut), redis.call('LLEN', LOG)) or ''
end
return {m[1] or '', m[2] or '', m[3] or '', leased and '1' or '0', text(lost), text(queued),
    m[1] and redis.call('LRANGE', NOTES, 0, -1) or redis.call('HVALS', QUEUE),
    m[1] and last() or '', m[4] or '', m[4] and m[5] or ''}
