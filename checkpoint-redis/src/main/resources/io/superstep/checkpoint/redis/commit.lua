-- fence, owner, id, head seen, parent, digest, state, time, whether from outside, whether a fork,
-- whether a merge, number of notes seen or nothing, input taken or nothing, entry, notes...
local id, seen, parent = ARGV[3], ARGV[4], ARGV[5]
local m = fields('owner', 'fence', 'head', 'digest', 'cut', 'total', 'span', 'check', 'lost',
    'version', 'snapshot', 'branched', 'first')
if m[1] ~= ARGV[2] or m[2] ~= ARGV[1] then return {'LEASE', m[2] or '0', m[3] or ''} end
local head = m[3] or ''
if head == id and m[4] == ARGV[6] then
  touch('head', id)
  return {'OK', '0', '0', m[13]}
end
if head ~= seen then return {'HEAD', head} end
local noted = redis.call('LLEN', NOTES)
if ARGV[12] ~= '' and noted ~= tonumber(ARGV[12]) then return {'NOTES'} end
local cut = tonumber(m[5] or '0')
local length = redis.call('LLEN', LOG)
if sequence(id) ~= cut + length + 1 then return {'HEAD', head} end
local branches = parent ~= head
if branches and parent ~= '' and not entry(parent, cut, length) then return {'PARENT'} end
local fork = ARGV[10] == '1' and noted > 0
if fork then redis.call('HLEN', LEFT) end
local takes = ARGV[13] ~= '' and redis.call('HEXISTS', QUEUE, ARGV[13]) == 1
if takes then redis.call('LLEN', TAKEN) end
local size = #ARGV[14]
local total = tonumber(m[6] or '0') + size
local span = tonumber(m[7] or '0') + size
local version = tonumber(m[10] or ARGV[1]) -- another one in every life of a thread
if branches or ARGV[11] == '1' then version = version + 1 end
local branched = m[12] or '0'
local drops = false
if branches then
  -- What was written since the snapshot is one line, unless the thread has branched since.
  local base = m[11] and sequence(m[11]) or 0
  drops = base > 0 and (parent == '' or sequence(parent) < base or tonumber(branched) > base)
  if drops then span = total end
  branched = text(sequence(id))
end
local first = m[13] or ARGV[8]
local due = span > tonumber(m[8] or '65536') and text(span) or '0'
local lost = ARGV[9] == '1' and m[9] or '0'
total, span, version = text(total), text(span), text(version)

redis.call('RPUSH', LOG, ARGV[14])
if fork then
  local packed = {}
  for _, note in ipairs(redis.call('LRANGE', NOTES, 0, -1)) do
    packed[#packed + 1] = struct.pack('>I4', #note) .. note
  end
  redis.call('HSET', LEFT, head, table.concat(packed))
end
if noted > 0 then redis.call('DEL', NOTES) end
for at = 15, #ARGV do redis.call('RPUSH', NOTES, ARGV[at]) end
if takes then
  redis.call('HDEL', QUEUE, ARGV[13])
  redis.call('RPUSH', TAKEN, ARGV[13])
  redis.call('LTRIM', TAKEN, -1000, -1)
end

if drops then
  redis.call('DEL', SNAPSHOT)
  redis.call('HDEL', META, 'snapshot')
end
redis.call('HSET', META, 'head', id, 'digest', ARGV[6], 'state', ARGV[7], 'time', ARGV[8],
    'lost', lost, 'total', total, 'span', span, 'version', version, 'branched', branched,
    'first', first, 'noted', '')
return {'OK', due, text(length + 1), first}
