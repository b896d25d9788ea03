-- Claim the names that are due, ``most`` at most; return them.

local due = unpack(KEYS)
local now, claim, most = unpack(ARGV)

local names = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, most)
for _, name in ipairs(names) do redis.call('ZADD', due, claim, name) end
return names
