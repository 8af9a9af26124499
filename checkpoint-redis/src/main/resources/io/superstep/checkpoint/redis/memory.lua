-- What all scripts about memory share. Items lie in one hash, by address; the order of addresses is
-- that of the members of a sorted set without scores.
local ITEMS, ORDER, EXPIRY, MARKERS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

-- address, when it expires or nothing, item or nothing
local function put(address, expires, item)
  if item == '' then
    redis.call('HDEL', ITEMS, address)
    redis.call('ZREM', ORDER, address)
    redis.call('ZREM', EXPIRY, address)
    return
  end
  redis.call('HSET', ITEMS, address, item)
  redis.call('ZADD', ORDER, 0, address)
  if expires == '' then
    redis.call('ZREM', EXPIRY, address)
  else
    redis.call('ZADD', EXPIRY, expires, address)
  end
end

-- A key of a foreign type is found before anything is written.
local function check()
  redis.call('HLEN', ITEMS)
  redis.call('ZCARD', ORDER)
  redis.call('ZCARD', EXPIRY)
  redis.call('HLEN', MARKERS)
end

