-- Schedule a name, unless it is due earlier.
--
-- due    sorted set: when each name is due, or a claim on it, which ends in half a millisecond
-- marks  optional: a hash of name -> "VERSION TIME". The name gets a mark, unless it has one of the
--        same version or a later one.
-- at     when the name is due, in milliseconds since 1970
-- mark   the mark
--
-- Returns when the name is due.

local due, marks = unpack(KEYS)
local name, at, mark = unpack(ARGV)

if marks then
  local old = redis.call('HGET', marks, name)
  if not old or tonumber(string.match(old, '%d+')) < tonumber(string.match(mark, '%d+')) then
    redis.call('HSET', marks, name, mark)
  end
end
local earlier = tonumber(redis.call('ZSCORE', due, name))
if earlier and earlier <= tonumber(at) and earlier % 1 == 0 then return tostring(earlier) end
redis.call('ZADD', due, at, name)
return at
