-- Return the next delivery of a lane that is due.
local due = unpack(KEYS)
local now, lane = unpack(ARGV)
for _, delivery in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now)) do
  if string.find(delivery, ' ' .. lane .. ' ', 1, true) then return delivery end
end
