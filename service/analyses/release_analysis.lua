-- Forget the analysis of a game, of those under way, if the account answers for it.
local under_way = unpack(KEYS)
local game, account = unpack(ARGV)
if redis.call('HGET', under_way, game) == account then redis.call('HDEL', under_way, game) end
