-- Return the next delivery of a lane that is due.
local due = unpack(KEYS)
local now, lane = unpack(ARGV)
for _, delivery in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now)) do
  if string.sub(delivery, 1, 1) == lane then return delivery end
end
