-- first address, whether it is one of them, all begin with this, keys begin with this, how many to
-- look at

-- Lua compares as the locale of the server has it, Redis by bytes.
local function before(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a < b end
  end
  return #one < #other
end

local found, from, seen = {}, (ARGV[2] == '1' and '[' or '(') .. ARGV[1], 0
local last = ''
local most = tonumber(ARGV[5])
while seen < most do
  local page = redis.call('ZRANGEBYLEX', ORDER, from, '[' .. ARGV[3] .. '\255', 'LIMIT', 0, most - seen)
  if #page == 0 then return {'', found} end
  local jump = false
  for _, address in ipairs(page) do
    seen = seen + 1
    last = address
    local split = string.find(address, '\0', 1, true)
    local key = string.sub(address, split + 1)
    if string.sub(key, 1, #ARGV[4]) == ARGV[4] then
      found[#found + 1] = redis.call('HGET', ITEMS, address)
    else
      -- to the first key of this namespace that begins so, or to the next namespace
      local namespace = string.sub(address, 1, split - 1)
      from = before(key, ARGV[4]) and '[' .. namespace .. '\0' .. ARGV[4] or '[' .. namespace .. '\1'
      jump = true
      break
    end
  end
  if not jump then from = '(' .. last end
end
return {from, found}
