-- Write a whole history.
--
-- shown     the head: what lists show, as JSON
-- origin    'elsewhere': unless there is one already; 'records': in the place of the one that is
--           there
-- ARGV[3]   the text of the first entry; then its hash, the text of the second, its hash ...
--
-- Returns 1 if the entries have become the history, 0 if there is one already.

local log, head, imported = unpack(KEYS)
local shown, origin = unpack(ARGV)

if origin == 'records' then
  redis.call('DEL', log)
elseif redis.call('EXISTS', log) == 1 then
  return 0
else
  redis.call('SET', imported, '1')
end
for i = 3, #ARGV, 2 do
  redis.call('XADD', log, '0-' .. ((i - 1) / 2), 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('SET', head, shown)
return 1
