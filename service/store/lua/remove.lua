-- Remove a history from Redis that is in the archive, or that is to be deleted.
--
-- version, hash  the last entry's
-- place          what to keep about the archived history; '' to delete it
-- remembered     seconds for which Redis remembers that it was deleted on purpose
-- shown          the head that is part of place; '' if none is, and the head stays
--
-- Returns 1 if the history is gone. Returns 0, having changed nothing, if it ends otherwise or has
-- another head.

local log, archived, gone, head, bots, imported, rematch = unpack(KEYS)
local version, hash, place, remembered, shown = unpack(ARGV)

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= '0-' .. version or last[2][4] ~= hash then return 0 end
if shown ~= '' and redis.call('GET', head) ~= shown then return 0 end
if place ~= '' then
  redis.call('SET', archived, place)
else
  redis.call('SET', gone, '1', 'EX', remembered)
end
if place == '' or shown ~= '' then redis.call('UNLINK', head) end
redis.call('UNLINK', log, unpack(KEYS, 5)) -- bots, and what else is named
return 1
