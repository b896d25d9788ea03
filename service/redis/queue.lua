-- The queues of workers, and the leases on the things that wait in them. service/redis/queue.py
-- describes the keys. The commands, with the members of `json`:
--
-- put    queue, name, payer, value, id: add a job, unless one of the same name waits.
--        ARGV[3] ... are the members of RQ's job. With `again`, the id of a job that runs, they
--        replace those of a copy of it. Returns 1 if the job was added.
-- take   no JSON, which would cost too much, but more arguments, lists separated by spaces. run:
--        the worker, the time, and when RQ may take it for dead (s); wanted: queue, number of jobs,
--        whether to leave other workers their share; ended: queue and id of jobs that were taken
--        before; began: the same of the job that RQ has taken, or ''; skip: accounts. The last may
--        be left out. Returns queue, name, payer, value and id of each job begun or taken.
-- hold   worker, ms: take or renew the lease KEYS[1], unless another worker has it. Returns 2 if the
--        worker had it, 1 if it has it now.
-- leave  worker, rest: end the lease KEYS[1] of a worker, after so many milliseconds. Returns 0 if
--        another worker has it.

local key = unpack(KEYS)
local command, json = unpack(ARGV)
local what = json ~= '' and cjson.decode(json)

local function keys_of(queue)
  local own = 'queue:' .. queue .. ':'
  return 'rq:queue:' .. queue, own .. 'names', own .. 'payers', own .. 'rounds'
end

-- Return a job that has just left its queue; it may be put there again from now on.
local function begin(queue, id)
  local list, names, payers, rounds = keys_of(queue)
  local job = redis.call('HMGET', 'rq:job:' .. id, 'name', 'payer', 'value')
  if job[1] and redis.call('HGET', names, job[1]) == id then redis.call('HDEL', names, job[1]) end
  if redis.call('EXISTS', list) == 0 then redis.call('DEL', names, payers, rounds) end
  if job[1] then return {queue, job[1], job[2], job[3], id} end
  redis.call('DEL', 'rq:job:' .. id) -- the service has not added it
end

if command == 'put' then
  local list, names, payers, rounds = keys_of(what.queue)
  local same = redis.call('HGET', names, what.name)
  if same and redis.call('EXISTS', 'rq:job:' .. same) == 1 and redis.call('LPOS', list, same) then
    return 0
  end
  local job = 'rq:job:' .. what.id
  if what.again and redis.call('COPY', 'rq:job:' .. what.again, job) == 0 then return 0 end

  -- the round: the present one, that of the first job, or the one after the account's last
  local first, round = redis.call('LINDEX', list, 0), 0
  if first then
    round = tonumber(redis.call('HGET', 'rq:job:' .. first, 'round') or 0)
    redis.call('ZREMRANGEBYSCORE', payers, '-inf', '(' .. round)
    redis.call('ZREMRANGEBYSCORE', rounds, '-inf', '(' .. round)
  else
    redis.call('DEL', names, payers, rounds)
  end
  local last = redis.call('ZSCORE', payers, what.payer)
  if last then round = last + 1 end

  redis.call('HSET', job, 'name', what.name, 'payer', what.payer, 'value', what.value,
             'round', round, unpack(ARGV, 3))
  local later = redis.call('ZRANGEBYSCORE', rounds, '(' .. round, '+inf', 'LIMIT', 0, 1)[1]
  if not later or redis.call('LINSERT', list, 'BEFORE', later, what.id) < 1 then
    redis.call('RPUSH', list, what.id)
  end
  redis.call('SADD', 'rq:queues', list)
  redis.call('HSET', names, what.name, what.id)
  redis.call('ZADD', payers, round, what.payer)
  if redis.call('ZCOUNT', rounds, round, round) == 0 then
    redis.call('ZADD', rounds, round, what.id)
  end
  return 1
end

if command == 'take' then
  local run, wanted, ended, began, skip = unpack(ARGV, 3)
  local worker, started, expires = string.match(run, '(%S+) (%S+) (%S+)')
  local taken, skipped = {}, {}
  local function add(job) if job then table.insert(taken, job) end return job end
  for account in string.gmatch(skip or '', '%S+') do skipped[account] = true end
  for queue, id in string.gmatch(ended, '(%S+) (%S+)') do
    redis.call('ZREM', 'rq:wip:' .. queue, id .. ':' .. worker)
    redis.call('DEL', 'rq:job:' .. id)
  end
  for queue, id in string.gmatch(began or '', '(%S+) (%S+)') do add(begin(queue, id)) end
  for queue, count, is_shared in string.gmatch(wanted, '(%S+) (%d+) (%d)') do
    local list, left = 'rq:queue:' .. queue, tonumber(count)
    if is_shared == '1' then
      local workers = math.max(1, redis.call('SCARD', 'rq:workers:' .. queue))
      left = math.min(left, math.ceil(redis.call('LLEN', list) / workers))
    end
    local last = skip and 999 or left - 1
    for _, id in ipairs(left > 0 and redis.call('LRANGE', list, 0, last) or {}) do
      if left > 0 and not skipped[redis.call('HGET', 'rq:job:' .. id, 'payer')] then
        redis.call('LREM', list, 1, id)
        if add(begin(queue, id)) then
          redis.call('HSET', 'rq:job:' .. id, 'status', 'started', 'started_at', started,
                     'worker_name', worker)
          redis.call('ZADD', 'rq:wip:' .. queue, expires, id .. ':' .. worker)
          left = left - 1
        end
      end
    end
  end
  return taken
end

local holder = redis.call('GET', key)
if holder and holder ~= '1' and holder ~= what.worker then return 0 end
if command == 'hold' then
  redis.call('SET', key, what.worker, 'PX', what.ms)
  return holder == what.worker and 2 or 1
end
if what.rest > 0 then
  redis.call('SET', key, '1', 'PX', what.rest)
else
  redis.call('DEL', key)
end
return 1
