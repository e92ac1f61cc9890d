-- Takes a stop whose time has come out of the reach of others for a while. A score in work that is the last fence is a
-- lease that nobody gave back.
-- KEYS  1 work  2 stop  3 behind
-- ARGV  1 id  2 for how long in ms
-- returns {fence, 1 if a lapsed lease was taken over}, or nothing when it is not due
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 'inf')
if not score or score > now then return {} end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[3], ARGV[1])
  return {}
end
local last = tonumber(redis.call('HGET', KEYS[2], 'fence') or '0')
local fence = string.format('%.0f', math.max(now + tonumber(ARGV[2]), last + 1))
redis.call('ZADD', KEYS[1], fence, ARGV[1])
redis.call('HSET', KEYS[2], 'fence', fence)
redis.call('HDEL', KEYS[2], 'again')
return {fence, score == last and 1 or 0}
