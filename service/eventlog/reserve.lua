-- Count a new item.
--
-- held     sorted set: the ids that an account holds, by time
-- seconds  for how long to keep the key
--
-- Returns whether the id is new, and how many ids there are now.

local held = unpack(KEYS)
local id, now, seconds = unpack(ARGV)

local is_new = redis.call('ZADD', held, 'NX', now, id)
redis.call('EXPIRE', held, seconds)
return {is_new, redis.call('ZCARD', held)}
