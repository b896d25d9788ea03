"""The scripts that change histories (``service.store.histories``): each does all of it or nothing.

``APPEND`` writes an entry, ``PUT`` a whole history from elsewhere; ``LET_GO`` takes one out of
Redis; ``PUT_HEAD`` writes what lists show.
"""

from __future__ import annotations

# KEYS log, head, archived, then those of the kind's own lines. ARGV the version and hash that the
# new entry follows, its text, its hash, the head, the channel and message of the news, then the
# kind's own; the last tells this call from all others.
# Returns {0, version} when the history has another end, {2} when ``guard`` refuses, else {1, what
# ``also`` has set as ``answer``}. Nothing is written unless the end is the very one that was
# decided on: so there is never a gap, not even after a failover that lost entries. A call that is
# sent again, as its answer was cut off, finds its own entry there, whatever came after it: {1, what
# ``again`` has set}.
APPEND = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version, hash, answer = 0, '', 0
if last then
  version = tonumber(string.sub(last[1], 3))
  hash = last[2][4]
end
local new = '0-' .. (ARGV[1] + 1)
if version > tonumber(ARGV[1]) then
  local there = redis.call('XRANGE', KEYS[1], new, new)[1]
  if there and there[2][4] == ARGV[4] and there[2][6] == ARGV[#ARGV] then
    AGAIN
    return {1, answer}
  end
end
if version ~= tonumber(ARGV[1]) or hash ~= ARGV[2] then return {0, version} end
if version == 0 and redis.call('EXISTS', KEYS[3]) == 1 then return {0, 1} end
GUARD
local row = {KEYS[1], new, 'e', ARGV[3], 'h', ARGV[4], 'n', ARGV[#ARGV]}
local added = redis.pcall('XADD', unpack(row))
if added.err and not string.find(added.err, 'equal or smaller') then return added end
if added.err then -- the stream has had later entries, which somebody has deleted: another is made
  local rows = redis.call('XRANGE', KEYS[1], '-', '+')
  redis.call('DEL', KEYS[1])
  for _, old in ipairs(rows) do redis.call('XADD', KEYS[1], old[1], unpack(old[2])) end
  redis.call('XADD', unpack(row))
end
redis.call('SET', KEYS[2], ARGV[5])
ALSO
redis.call('SPUBLISH', ARGV[6], ARGV[7])
return {1, answer}
"""

# KEYS log, head, the mark of what comes from elsewhere, archived. ARGV the head, then text, hash,
# text, hash ... Returns 1 if they have become the history, 0 if there is one already.
PUT = """
if redis.call('EXISTS', KEYS[1], KEYS[4]) > 0 then return 0 end
for i = 2, #ARGV, 2 do
  redis.call('XADD', KEYS[1], '0-' .. (i / 2), 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[3], '1')
return 1
"""

# KEYS log, archived, gone, head, and others that are of no use afterwards. ARGV the version and
# hash that the history ends with; what to keep of it once it is in the archive, "" to have it no
# more; for how many seconds to remember that this was meant; the head that is in what is kept, ""
# if none is, and the head stays. Returns 1 if it is gone from here, 0, having changed nothing, if
# it ends otherwise, or has another head.
LET_GO = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= '0-' .. ARGV[1] or last[2][4] ~= ARGV[2] then return 0 end
if ARGV[5] ~= '' and redis.call('GET', KEYS[4]) ~= ARGV[5] then return 0 end
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[2], ARGV[3])
else
  redis.call('SET', KEYS[3], '1', 'EX', ARGV[4])
end
if ARGV[3] == '' or ARGV[5] ~= '' then redis.call('UNLINK', KEYS[4]) end
redis.call('UNLINK', KEYS[1], unpack(KEYS, 5))
return 1
"""

# KEYS head, archived. ARGV what Redis kept of the history in the archive, "" if it was not there;
# what it is to keep, with the head, "" to keep that under its own key; the head. Returns 1, or 0,
# having changed nothing, if something else is kept by now.
PUT_HEAD = """
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('SET', KEYS[1], ARGV[3])
else
  redis.call('SET', KEYS[2], ARGV[2])
  redis.call('DEL', KEYS[1])
end
return 1
"""
