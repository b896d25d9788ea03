-- Run commands if nobody has changed the keys since, by a version that each change replaces.
--
-- version      what the version was when the commands were decided on; '' if there was none
-- new_version  another value
-- commands     a JSON list of commands, each a list of words
-- KEYS[2] ...  the keys that the commands use
--
-- Returns 1. Returns 0, having changed nothing, if the version is another one by now.

local version_key = unpack(KEYS)
local version, new_version, commands = unpack(ARGV)

if (redis.call('GET', version_key) or '') ~= version then return 0 end
redis.call('SET', version_key, new_version)
for _, command in ipairs(cjson.decode(commands)) do redis.call(unpack(command)) end
return 1
