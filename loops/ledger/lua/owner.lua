-- What only the owner of a lease may do. A lease is held while its fence is the score in work and lies ahead.
-- KEYS  1 work  2 stop  3 behind
-- ARGV  1 id  2 fence  3 'card', 'shown' or 'postpone'
--       card: 4 field  5 value
--       shown: 4 rev
--       postpone: 4 next try in ms
-- returns -1 when the lease lapsed, 1 when it is done, and for shown 0 when the cards are behind again
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = string.format('%.0f', now)
local score, fence = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '-1'), tonumber(ARGV[2])
if score ~= fence or fence <= now then return -1 end
if ARGV[3] == 'card' then
  redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
  return 1
end
local moved = redis.call('HGET', KEYS[2], 'again')
if ARGV[3] == 'postpone' then
  local try = tonumber(ARGV[4])
  if moved then try = math.min(try, now) end
  if try == fence then try = try + 1 end
  redis.call('ZADD', KEYS[1], string.format('%.0f', try), ARGV[1])
  return 1
end
local rev, shown = tonumber(redis.call('HGET', KEYS[2], 'rev') or '0'), tonumber(ARGV[4])
if ARGV[3] ~= 'shown' or not shown or shown > rev then return redis.error_reply('ERR owner: no such rev') end
if moved or shown < rev then
  redis.call('ZADD', KEYS[1], at, ARGV[1])
  redis.call('ZADD', KEYS[3], at, ARGV[1])
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HDEL', KEYS[2], 'fence')
return 1
