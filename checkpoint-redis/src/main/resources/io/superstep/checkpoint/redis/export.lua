-- number of a key, position, how many elements: one page of what the key holds, undecoded. Returns
-- the next position or nothing, then each element: its name within the key, its bytes
local function kind(key) return redis.call('TYPE', key).ok end

-- What is remembered of a thread that was deleted is none of its parts.
local function is_deleted()
  for at = 2, #KEYS do
    if redis.call('EXISTS', KEYS[at]) == 1 then return false end
  end
  return kind(META) == 'hash' and not fields('head')[1]
end

local key = KEYS[tonumber(ARGV[1])]
local type = kind(key)
if type == 'none' or is_deleted() then return {''} end
if type == 'string' then return {'', '', redis.call('GET', key)} end
if type == 'hash' then
  local page = redis.call('HSCAN', key, ARGV[2], 'COUNT', ARGV[3])
  local reply = {page[1] ~= '0' and page[1] or ''}
  for _, each in ipairs(page[2]) do reply[#reply + 1] = each end
  return reply
end
if type == 'list' then
  local first, most = tonumber(ARGV[2]), tonumber(ARGV[3])
  local page = redis.call('LRANGE', key, first, first + most - 1)
  local reply = {#page == most and text(first + most) or ''}
  for at, each in ipairs(page) do
    reply[#reply + 1] = text(first + at - 1)
    reply[#reply + 1] = each
  end
  return reply
end
return {'', 'dump', redis.call('DUMP', key)}
