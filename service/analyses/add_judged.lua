-- Add a judged decision: `rows` has it and the `judged` ones before it, of so many `decisions`. Do
-- nothing if another worker has the lease, or it was added already.
local analysis, lease = unpack(KEYS)
local worker, judged, decisions, rows, seconds = unpack(ARGV)
if redis.call('GET', lease) ~= worker then return 0 end
if redis.call('HGET', analysis, 'judged') ~= judged then return 0 end
redis.call('HSET', analysis, 'judged', judged + 1, 'decisions', decisions, 'rows', rows, 'tries', 0)
redis.call('EXPIRE', analysis, seconds)
return 1
