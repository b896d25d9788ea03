-- Write the head of a history, unless the archived history has changed.
--
-- place      what Redis kept of the history in the archive; '' if it was not there
-- new_place  what to keep instead, with the head in it; '' to keep the head under its own key
-- shown      the head: what lists show, as JSON
--
-- Returns 1. Returns 0, having changed nothing, if something else is kept by now.

local head, archived = unpack(KEYS)
local place, new_place, shown = unpack(ARGV)

if (redis.call('GET', archived) or '') ~= place then return 0 end
if new_place == '' then
  redis.call('SET', head, shown)
else
  redis.call('SET', archived, new_place)
  redis.call('DEL', head)
end
return 1
