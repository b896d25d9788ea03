local number = unpack(KEYS)
local summand = unpack(ARGV)
return redis.call('INCRBY', number, summand)
