-- Write a whole history that comes from elsewhere, unless there is one.
--
-- shown     the head: what lists show, as JSON
-- ARGV[2]   the text of the first entry; then its hash, the text of the second, its hash ...
--
-- Returns 1 if the entries have become the history, 0 if there is one already.

local log, head, imported = unpack(KEYS)
local shown = unpack(ARGV)

if redis.call('EXISTS', log) == 1 then return 0 end
for i = 2, #ARGV, 2 do
  redis.call('XADD', log, '0-' .. (i / 2), 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('SET', head, shown)
redis.call('SET', imported, '1')
return 1
