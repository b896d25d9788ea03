-- Put a game into the lists where it belongs, by its status.
--
-- unfiled    the marks
-- created    when the game was created
-- status     0 in the lobby, 1 playing, 2 finished
-- is_public  '1' if everybody may find the game
-- anew       '1' to list a marked game even if it is in the list of a later status or recorded
--
-- Returns 0 if the mark is gone or of a later version: then a process with a later entry may have
-- listed the game already, and rows of this one may be out of date.

local all, lobby, playing, finished, unfiled, recorded = unpack(KEYS)
local game, created, status, version, is_public, anew = unpack(ARGV)
local lists = {lobby, playing, finished}
local place = tonumber(status) + 1

local mark = redis.call('HGET', unfiled, game)
local is_last = mark and tonumber(string.match(mark, '%d+')) <= tonumber(version)
if anew == '0' and not is_last and redis.call('ZSCORE', recorded, game) then return 0 end
if anew == '0' or not is_last then
  for later = place + 1, 3 do
    if redis.call('ZSCORE', lists[later], game) then return is_last and 1 or 0 end
  end
end
redis.call('ZADD', lists[place], created, game)
if is_public == '1' then redis.call('ZADD', all, created, game) end
for other = 1, 3 do
  if other ~= place then redis.call('ZREM', lists[other], game) end
end
if is_last then redis.call('HDEL', unfiled, game) end
return is_last and 1 or 0
