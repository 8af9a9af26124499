-- thread or nothing, fence, sequence, then of each item its address, when it expires, the item
check()
if ARGV[1] ~= '' then
  local marker = redis.call('HGET', MARKERS, ARGV[1])
  if marker then
    local fence, sequence = string.match(marker, '(%d+) (%d+)')
    local before = tonumber(fence) - tonumber(ARGV[2])
    if before > 0 or (before == 0 and tonumber(sequence) >= tonumber(ARGV[3])) then return {'0'} end
  end
  redis.call('HSET', MARKERS, ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
end
for at = 4, #ARGV, 3 do put(ARGV[at], ARGV[at + 1], ARGV[at + 2]) end
return {'1'}
