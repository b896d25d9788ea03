-- Forget marks, unless they were replaced.
--
-- ARGV  games, each with the mark that it had

local marks = unpack(KEYS)

for i = 1, #ARGV, 2 do
  if redis.call('HGET', marks, ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', marks, ARGV[i]) end
end
