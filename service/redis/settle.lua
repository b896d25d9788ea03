-- End a claim. Leave names alone that were scheduled since.
--
-- ARGV[2] ...  names, each with its next time, '' to remove it

local due = unpack(KEYS)
local claim = unpack(ARGV)

for i = 2, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', due, ARGV[i])) == tonumber(claim) then
    if ARGV[i + 1] == '' then
      redis.call('ZREM', due, ARGV[i])
    else
      redis.call('ZADD', due, ARGV[i + 1], ARGV[i])
    end
  end
end
