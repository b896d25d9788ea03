-- Delete a history, or what is left of it here after its stream has gone.
--
-- version, hash  the last entry's
-- remembered     seconds for which Redis remembers that it was deleted on purpose, 0 if it was not
--
-- Returns 1 if the history is gone. Returns 0, having changed nothing, if it ends otherwise.

local log, gone, head, bots, imported, lost, told, faults = unpack(KEYS)
local version, hash, remembered = unpack(ARGV)

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if last and (last[1] ~= '0-' .. version or last[2][4] ~= hash) then return 0 end
if remembered ~= '0' then redis.call('SET', gone, '1', 'EX', remembered) end
redis.call('UNLINK', log, head, bots, imported, lost, told, faults)
return 1
