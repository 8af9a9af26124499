-- time or nothing
local m = fields('head', 'state', 'time', 'owner', 'until', 'lost', 'mark')
local queued = redis.call('HLEN', QUEUE)
if not m[1] and queued == 0 then return {} end
local leased = m[4] and now(ARGV[1]) < tonumber(m[5])
local lost = tonumber(m[6] or '0') + ((m[4] and not leased) and 1 or 0)
return {m[1] or '', m[2] or '', m[3] or '', leased and '1' or '0', text(lost), text(queued),
    m[1] and redis.call('LRANGE', NOTES, 0, -1) or redis.call('HVALS', QUEUE),
    m[4] or '', m[4] and m[5] or ''}
