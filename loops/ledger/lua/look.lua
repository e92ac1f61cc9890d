-- Members of a sorted set of moments that lie at least so long ago by Redis's time.
-- KEYS  1 sorted set
-- ARGV  1 how long ago in ms  2 how many to pass over  3 how many
local time = redis.call('TIME')
local until_ = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', until_), 'LIMIT', ARGV[2], ARGV[3])
