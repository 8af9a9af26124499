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
local low = ARGV[1]
local most = tonumber(ARGV[5])
while seen < most do
  local page = redis.call('ZRANGEBYLEX', ORDER, from, '[' .. ARGV[3] .. '\255', 'LIMIT', 0, most - seen)
  local jump, advanced = false, false
  for _, address in ipairs(page) do
    seen = seen + 1
    local split = string.find(address, '\0', 1, true)
    local key = split and string.sub(address, split + 1) or ''
    if before(address, low) then
      -- its score is damaged, so that it stands out of order; to look there again would be a loop
      found[#found + 1] = address
      found[#found + 1] = ''
    elseif not split or string.sub(key, 1, #ARGV[4]) == ARGV[4] then
      -- an address that is damaged, or has no item, goes with nothing
      found[#found + 1] = address
      found[#found + 1] = split and redis.call('HGET', ITEMS, address) or ''
      low, advanced = address, true
    else
      -- to the first key of this namespace that begins so, or to the next namespace
      local namespace = string.sub(address, 1, split - 1)
      low = before(key, ARGV[4]) and namespace .. '\0' .. ARGV[4] or namespace .. '\1'
      jump, advanced = true, true
      break
    end
  end
  if not advanced then return {'', found} end
  from = (jump and '[' or '(') .. low
end
return {from, found}
