-- Add a delivery of a fact of the time `at`, unless it was added before. Return 1 if the caller has
-- to call a worker.
local seen, due, lane = unpack(KEYS)
local delivery, at, due_at, lease_ms = unpack(ARGV)
if redis.call('ZSCORE', seen, delivery) then return 0 end
redis.call('ZADD', seen, at, delivery)
redis.call('ZADD', due, due_at, delivery)
if redis.call('SET', lane, 1, 'PX', lease_ms, 'NX') then return 1 end
return 0
