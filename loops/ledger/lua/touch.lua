-- Puts a stop back into work, and forgets a card if it is still the one that was read.
-- KEYS  1 work  2 stop  3 behind
-- ARGV  1 id  2 field of the card ('' forget none)  3 its value as read
-- returns 0 when the card has changed: read again
if redis.call('EXISTS', KEYS[2]) == 0 then return 1 end
if ARGV[2] ~= '' then
  if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then return 0 end
  redis.call('HDEL', KEYS[2], ARGV[2])
end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local score, fence = redis.call('ZSCORE', KEYS[1], ARGV[1]), redis.call('HGET', KEYS[2], 'fence')
if score and fence and tonumber(score) == tonumber(fence) then
  redis.call('HSET', KEYS[2], 'again', '1')
else
  redis.call('ZADD', KEYS[1], now, ARGV[1])
end
redis.call('ZADD', KEYS[3], 'NX', now, ARGV[1])
return 1
