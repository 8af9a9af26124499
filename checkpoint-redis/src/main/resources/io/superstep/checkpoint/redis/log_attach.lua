-- cursor, whether what running tasks have said so far is wanted
local m = fields('last', 'first', 'life')
local after, last, first = tonumber(ARGV[1]), tonumber(m[1] or '0'), tonumber(m[2] or '1')
if after < 0 or after > last then return {'UNKNOWN', text(last)} end
if after < first - 1 then return {'TRIMMED', text(first)} end
local frame = redis.call('ZREVRANGEBYSCORE', FRAMES, text(after + 1), '-inf', 'LIMIT', 0, 1)[1]
local newest = redis.call('XREVRANGE', EVENTS, '+', '-', 'COUNT', 1)[1]
local running, before = {}, {}
if ARGV[2] == '1' then
  for _, chunk in ipairs(redis.call('LRANGE', CHUNKS, 0, -1)) do
    local id = string.match(chunk, '^%d+%-%d+')
    if id then -- else it is damaged, and names no event
      running[#running + 1] = id
      if tonumber(string.match(id, '^%d+')) <= after then
        local found = redis.call('XRANGE', EVENTS, id, id)[1]
        if found then before[#before + 1] = found[2][2] end
      end
    end
  end
end
return {'OK', text(last), m[3] or '0', frame or text(after + 1), newest and newest[1] or '0-0',
    running, before}
