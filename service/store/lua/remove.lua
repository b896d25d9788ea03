-- Delete a history, or what is left of it here after its stream has gone.
--
-- version, hash  the last entry's
-- remembered     seconds for which Redis remembers that it was deleted on purpose
--
-- Returns 1 if the history is gone. Returns 0, having changed nothing, if it ends otherwise.

local log, gone, head, bots, imported = unpack(KEYS)
local version, hash, remembered = unpack(ARGV)

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if last and (last[1] ~= '0-' .. version or last[2][4] ~= hash) then return 0 end
redis.call('SET', gone, '1', 'EX', remembered)
redis.call('UNLINK', log, head, bots, imported)
return 1
