"""The Lua scripts of the log of finished games (``service.projections.finished``).

All have in common: KEYS the log, the checkpoints, then those of each statistic in turn.
"""

from __future__ import annotations

from service.store.scripts import REPLACE_KEYS

# The default script of a statistic. Its key is a hash, and its rows are integers separated by
# spaces. A row of zeros is removed.
SUM = "sum(keys[1], adds, sign)"

FUNCTIONS = """
local function sum(key, adds, sign)
  local names, changed, gone = {}, {}, {}
  for name in pairs(adds) do table.insert(names, name) end
  if #names == 0 then return end
  local rows = redis.call('HMGET', key, unpack(names))
  for i, name in ipairs(names) do
    local row, is_zero = {}, true
    for number in string.gmatch(rows[i] or '', '%S+') do table.insert(row, tonumber(number)) end
    for place, more in ipairs(adds[name]) do row[place] = (row[place] or 0) + sign * more end
    for place, number in ipairs(row) do
      is_zero = is_zero and number == 0
      row[place] = string.format('%.0f', number)
    end
    if is_zero then
      table.insert(gone, name)
    else
      table.insert(changed, name)
      table.insert(changed, table.concat(row, ' '))
    end
  end
  if #changed > 0 then redis.call('HSET', key, unpack(changed)) end
  if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
end
local add = {}
"""
# Returns the number of games in the log up to a statistic's checkpoint.
PLACE = """
local function place_of(checkpoint)
  if not checkpoint then return 0 end
  local at, game = string.match(checkpoint, '^(%S+) (%S+)$')
  if tonumber(redis.call('ZSCORE', KEYS[1], game) or -1) == tonumber(at) then
    return redis.call('ZRANK', KEYS[1], game) + 1
  end
  return redis.call('ZCOUNT', KEYS[1], '-inf', at)  -- it was taken out of the log since
end
"""
# Adds a game to the log, and returns 0 if it is there already. ARGV as ``COUNT``, which follows.
NEW_GAME = """
local game, before, now = ARGV[1], false, redis.call('TIME')
local at = now[1] * 1000 + math.floor(now[2] / 1000)
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[1] then
  before = string.format('%.0f %s', last[2], last[1])
  if tonumber(last[2]) >= at then at = last[2] + 1 end
end
if redis.call('ZADD', KEYS[1], 'NX', string.format('%.0f', at), game) == 0 then return 0 end
local function is_next(checkpoint) return checkpoint == before end
"""
# Finds a game in the log, and returns 0 if it is not there. ARGV as ``COUNT``, which follows.
OLD_GAME = """
local game, at = ARGV[1], redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at then return 0 end
local rank = redis.call('ZRANK', KEYS[1], game)
local function is_next(checkpoint) return place_of(checkpoint) == rank end
"""
# Counts the game for each statistic that counts all games before it; returns 1. ARGV the game; of
# each statistic its name, its number of keys, and what to add, as JSON.
COUNT = """
local names, done, first = {}, {}, 3
for i = 2, #ARGV, 3 do table.insert(names, ARGV[i]) end
if #names == 0 then return 1 end
local checkpoints = redis.call('HMGET', KEYS[2], unpack(names))
for i, name in ipairs(names) do
  local keys = {}
  for _ = 1, ARGV[3 * i] do
    table.insert(keys, KEYS[first])
    first = first + 1
  end
  if is_next(checkpoints[i]) then
    add[name](keys, cjson.decode(ARGV[3 * i + 1]), 1)
    table.insert(done, name)
    table.insert(done, string.format('%.0f %s', at, game))
  end
end
if #done > 0 then redis.call('HSET', KEYS[2], unpack(done)) end
return 1
"""
# Takes a game out of the log, and out of each statistic that counts it. KEYS as above, then the
# version. ARGV as above, then a new version. Returns 1, or 0 if the game is not in the log.
TAKE_BACK = """
local game, first = ARGV[1], 3
local at, rank = redis.call('ZSCORE', KEYS[1], game), redis.call('ZRANK', KEYS[1], game)
if not at then return 0 end
local before = rank > 0 and redis.call('ZRANGE', KEYS[1], rank - 1, rank - 1, 'WITHSCORES')
for i = 2, #ARGV - 1, 3 do
  local keys = {}
  for _ = 1, ARGV[i + 1] do
    table.insert(keys, KEYS[first])
    first = first + 1
  end
  local place = place_of(redis.call('HGET', KEYS[2], ARGV[i]))
  if place > rank then add[ARGV[i]](keys, cjson.decode(ARGV[i + 2]), -1) end
  if place == rank + 1 then  -- the checkpoint goes back to the game before
    if before then
      redis.call('HSET', KEYS[2], ARGV[i], string.format('%.0f %s', before[2], before[1]))
    else
      redis.call('HDEL', KEYS[2], ARGV[i])
    end
  end
end
redis.call('ZREM', KEYS[1], game)
redis.call('SET', KEYS[#KEYS], ARGV[#ARGV])
return 1
"""
# Returns the games after the last one that all of some statistics count. ARGV the number of games
# at most, the names of the statistics.
NEXT = """
local least
for i = 2, #ARGV do
  local place = place_of(redis.call('HGET', KEYS[2], ARGV[i]))
  if not least or place < least then least = place end
end
return redis.call('ZRANGE', KEYS[1], least, least + ARGV[1] - 1)
"""
# Returns the games that wait, each with its deal, and the statistics that do not count the last
# game of the log. KEYS log, checkpoints, waiting. ARGV the names of the statistics.
ENDS = """
local last, behind = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES'), {}
if last[1] then
  local checkpoints = redis.call('HMGET', KEYS[2], unpack(ARGV))
  for i, name in ipairs(ARGV) do
    local is_last = checkpoints[i] == string.format('%.0f %s', last[2], last[1])
    if not is_last then table.insert(behind, name) end
  end
end
return {redis.call('HGETALL', KEYS[3]), behind}
"""
# Puts rebuilt statistics in the place of the old ones. KEYS log, checkpoints, the checkpoints of
# the rebuild, the version, then pairs of an old key and the new one. ARGV the version as the
# rebuild began, a new one, the names of the statistics. Returns 1 once it is done, 0 if the new
# ones lack games of the log, -1 if the version has changed.
REPLACE = REPLACE_KEYS + """
if (redis.call('GET', KEYS[4]) or '') ~= ARGV[1] then return -1 end
for i = 3, #ARGV do
  local checkpoint = redis.call('HGET', KEYS[3], ARGV[i])
  if place_of(checkpoint) < redis.call('ZCARD', KEYS[1]) then return 0 end
  if checkpoint then
    redis.call('HSET', KEYS[2], ARGV[i], checkpoint)
  else
    redis.call('HDEL', KEYS[2], ARGV[i])
  end
end
replace_keys(5, #KEYS)
redis.call('DEL', KEYS[3])
redis.call('SET', KEYS[4], ARGV[2])
return 1
"""
