"""The Lua scripts of the log of finished games (``service.projections.finished``)."""

from __future__ import annotations

from service.store.scripts import REPLACE_KEYS

# Adds a game to the log and to statistics, or takes it out. KEYS the log, the version, then those
# of each statistic in turn. ARGV the game, 1 to add it or -1 to take it out, when it is added in
# milliseconds since 1970 or '' for now, a new version if it is taken out; of each statistic its
# function here, its number of keys, and what the game adds, as JSON. Returns 0, having changed
# nothing, if the game is in the log already, or is not there to be taken out; else 1.
CHANGE = """
local how = {}
function how.sum(keys, adds, sign)  -- a row is integers separated by spaces; none is all zeros
  local names, changed, gone = {}, {}, {}
  for name in pairs(adds) do table.insert(names, name) end
  if #names == 0 then return end
  local rows = redis.call('HMGET', keys[1], unpack(names))
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
  if #changed > 0 then redis.call('HSET', keys[1], unpack(changed)) end
  if #gone > 0 then redis.call('HDEL', keys[1], unpack(gone)) end
end
local function encoded(counts)  -- always the same of the same, as cjson does not
  local names, members = {}, {}
  for name in pairs(counts) do table.insert(names, name) end
  table.sort(names)
  for _, name in ipairs(names) do
    table.insert(members, string.format('"%s":%.0f', name, counts[name]))
  end
  return '{' .. table.concat(members, ',') .. '}'
end
function how.tally(keys, adds, sign)  -- see service/projections/tallies.py
  local tallies, met = unpack(keys)
  for name, counts in pairs(adds) do
    local held = cjson.decode(redis.call('HGET', tallies, name) or '{}')
    local before = held.games or 0
    for what, count in pairs(counts) do
      local sum = (held[what] or 0) + sign * count
      held[what] = sum ~= 0 and sum or nil
    end
    local a, b = string.match(name, '^(%S+) (%S+)$')
    for _, pair in ipairs(a and {{a, b}, {b, a}} or {}) do
      local line = pair[1] .. ' %09.0f ' .. pair[2]
      redis.call('ZREM', met, string.format(line, before))
      if held.games then redis.call('ZADD', met, 0, string.format(line, held.games)) end
    end
    if next(held) then
      redis.call('HSET', tallies, name, encoded(held))
    else
      redis.call('HDEL', tallies, name)
    end
  end
end
local log, version = KEYS[1], KEYS[2]
local game, sign, at, first = ARGV[1], tonumber(ARGV[2]), ARGV[3], 3
if sign < 0 then
  if redis.call('ZREM', log, game) == 0 then return 0 end
  redis.call('SET', version, ARGV[4])
else
  if at == '' then
    local now, last = redis.call('TIME'), redis.call('ZRANGE', log, -1, -1, 'WITHSCORES')
    at = now[1] * 1000 + math.floor(now[2] / 1000)
    if last[1] and tonumber(last[2]) >= at then at = last[2] + 1 end
    at = string.format('%.0f', at)
  end
  if redis.call('ZADD', log, 'NX', at, game) == 0 then return 0 end
end
for i = 5, #ARGV, 3 do
  local keys = {}
  for _ = 1, ARGV[i + 1] do
    table.insert(keys, KEYS[first])
    first = first + 1
  end
  how[ARGV[i]](keys, cjson.decode(ARGV[i + 2]), sign)
end
return 1
"""
# Puts rebuilt statistics in the place of the old ones. KEYS the log, the games that the rebuild
# counts, the version, then pairs of an old key and the new one. ARGV the version as the rebuild
# began, a new one. Returns the games of the log that the rebuild lacks, none once it is done, or
# '' if the version has changed, having changed nothing.
REPLACE = REPLACE_KEYS + """
if (redis.call('GET', KEYS[3]) or '') ~= ARGV[1] then return {''} end
local more = redis.call('ZDIFF', 2, KEYS[1], KEYS[2])
if #more > 0 then return more end
replace_keys(4, #KEYS)
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[3], ARGV[2])
return more
"""
