-- Append one entry to a history, or change nothing.
--
-- version, hash   the version and hash of the entry that the new one follows
-- text, new_hash  the new entry and its hash
-- shown           the head: what lists show, as JSON
-- news            the message for the channel: the new version and how its hash begins
-- call            random bytes, other ones for each call
-- lease           how to take the lease on the game's bots: 'take', 'refresh', or '' to end it
-- KEYS[4] ...     the keys of the tokens without which nothing is written
--
-- Returns {1, taken} if the entry is in the history, taken being 1 if this call took the lease;
-- {0, version} after a conflict, with the version that the history is at; {2, 0} if a token was
-- revoked.
--
-- The script writes only if the history still ends with the entry that the decision was based on,
-- by version and hash. So a history never has a gap, even if a failover has lost its last entries.

local log, head, bots = unpack(KEYS)
local version, hash, text, new_hash, shown, channel, news, call, lease, lease_ms = unpack(ARGV)

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local last_version, last_hash = 0, ''
if last then
  last_version, last_hash = tonumber(string.sub(last[1], 3)), last[2][4]
end
version = tonumber(version)
local id = '0-' .. (version + 1)

-- A call that is sent again because its answer was cut off finds its own entry. If it was to take
-- the lease, the caller may not have heard that it did: a second worker for a game does no harm, no
-- worker would keep the game waiting.
if last_version > version then
  local same = redis.call('XRANGE', log, id, id)[1]
  if same and same[2][4] == new_hash and same[2][6] == call then
    return {1, lease == 'take' and redis.call('EXISTS', bots) or 0}
  end
end
if last_version ~= version or last_hash ~= hash then return {0, last_version} end
if KEYS[4] and redis.call('EXISTS', unpack(KEYS, 4)) < #KEYS - 3 then return {2, 0} end

local row = {log, id, 'e', text, 'h', new_hash, 'n', call}
local added = redis.pcall('XADD', unpack(row))
if added.err and not string.find(added.err, 'equal or smaller') then return added end
if added.err then -- the stream had later entries, which somebody has deleted: write it anew
  local rows = redis.call('XRANGE', log, '-', '+')
  redis.call('DEL', log)
  for _, old in ipairs(rows) do redis.call('XADD', log, old[1], unpack(old[2])) end
  redis.call('XADD', unpack(row))
end
redis.call('SET', head, shown)

local taken = 0
if bots then
  if lease == '' then
    redis.call('DEL', bots)
  elseif lease == 'refresh' then
    redis.call('SET', bots, '1', 'PX', lease_ms)
  elseif redis.call('SET', bots, '1', 'PX', lease_ms, 'NX') then
    taken = 1
  end
end
redis.call('SPUBLISH', channel, news)
return {1, taken}
