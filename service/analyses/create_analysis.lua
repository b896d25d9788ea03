-- Create the analysis of a game whose last entry has this hash, for so many seconds, unless there is
-- one of this entry that has not failed. Return whether it was created.
local analysis, lease = unpack(KEYS)
local last, seconds = unpack(ARGV)
local its, failed = unpack(redis.call('HMGET', analysis, 'last', 'failed'))
if its == last and not failed then return 0 end
redis.call('DEL', analysis, lease)
redis.call('HSET', analysis, 'last', last, 'judged', 0)
redis.call('EXPIRE', analysis, seconds)
return 1
