-- Deletes all that belongs to closed stops whose time is over. A stop that was raised anew meanwhile is not in the index.
-- KEYS  1 the index that lets them go, closed or untaken  2 work  3 behind, then for each stop what is its own: stop, log,
--       record, outcome, claim, context
-- ARGV  1 how long ago in ms the index's moment must lie  2… ids
-- returns how many went
local time = redis.call('TIME')
local until_ = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[1])
if #KEYS ~= 3 + 6 * (#ARGV - 1) then return redis.error_reply('ERR forget: six keys a stop') end
local gone = 0
for i = 2, #ARGV do
  local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or 'inf')
  if score and score <= until_ then
    local first = 4 + 6 * (i - 2)
    redis.call('DEL', unpack(KEYS, first, first + 5))
    for k = 1, 3 do redis.call('ZREM', KEYS[k], ARGV[i]) end
    gone = gone + 1
  end
end
return gone
