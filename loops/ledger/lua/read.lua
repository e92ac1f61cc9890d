-- One consistent read of a stop, with Redis's time.
-- KEYS  1 stop  2 log  3 record  4 outcome
-- returns {seconds, microseconds, the hash as a flat list, the log, the record or false, the outcome or false}
local time = redis.call('TIME')
return {
  time[1], time[2],
  redis.call('HGETALL', KEYS[1]),
  redis.call('LRANGE', KEYS[2], 0, -1),
  redis.call('GET', KEYS[3]),
  redis.call('GET', KEYS[4]),
}
