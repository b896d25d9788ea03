-- Beat, unless that was done right before: it is a write, which all others wait for.
--
-- All times are in milliseconds.
-- beat    when the service beat last
-- pauses  sorted set: "FROM-TO" by TO
-- since   the end of the last pause that the caller knows
-- every   the least time between two beats that are written
-- least   the time between two beats from which on it is a pause
-- keep    for how long pauses are remembered
--
-- Returns what time it is, which is never before the last beat, and the pauses that ended after
-- ``since``.

local beat, pauses = unpack(KEYS)
local now, since, every, least, keep = unpack(ARGV)

local held = redis.call('GET', beat)
local last = tonumber(held or now)
now = math.max(tonumber(now), last)
if now - last > tonumber(least) then
  redis.call('ZADD', pauses, now, string.format('%.0f-%.0f', last, now))
  redis.call('ZREMRANGEBYSCORE', pauses, '-inf', now - tonumber(keep))
end
if not held or now - last >= tonumber(every) then
  redis.call('SET', beat, string.format('%.0f', now))
end
return {now, redis.call('ZRANGEBYSCORE', pauses, '(' .. since, '+inf')}
