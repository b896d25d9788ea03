-- Return members of a sorted set and their scores, the last first.
--
-- at, id  the place that they are before: a score, and a member
-- lowest  the lowest score
-- most    how many

local set = unpack(KEYS)
local at, id, lowest, most = unpack(ARGV)
at, most = tonumber(at), tonumber(most)

local rows, read = {}, 0
repeat
  local more = redis.call('ZREVRANGEBYSCORE', set, at, lowest, 'WITHSCORES', 'LIMIT', read, most)
  for i = 1, #more, 2 do
    if more[i] < id or tonumber(more[i + 1]) ~= at then
      table.insert(rows, more[i])
      table.insert(rows, more[i + 1])
      if #rows == 2 * most then return rows end
    end
  end
  read = read + most
until #more < 2 * most
return rows
