-- The one script that writes stops: appends entries if the stop is still the one that was read, and moves everything that
-- follows from them in the same step.
-- KEYS  1 stop  2 log  3 record  4 outcome (also the channel)  5 inbox  6 due  7 work  8 behind  9 holders  10 the
--       holder's index before  11 the holder's index after  12 closed  13 untaken  14 claim  15 context
-- ARGV  1 id  2 seq that was read  3 holder before ('' none)  4 holder after  5 since when it is open with that
--       holder in ms ('' not open, '=' as before)  6 due in ms ('' none, '=' as before)  7 '1' if rev moved
--       8 record ('' kept)  9 outcome ('' none)  10 withdrawn or taken in ms ('' not now)  11 ended otherwise in ms
--       ('' not now)  12 whose claim is kept ('' nobody's)  13 when it was taken, for a claim that lapsed
--       14 '1' if the context is kept  15 group of the inbox  16 inbox entry that asked for this ('' none)
--       17 n, the number of hash fields and values  18… these n, then the entries
-- returns 1 when it is done, 0 when the stop has moved: read and decide again
-- Claim and context are the loops' own: what a loop wrote of another type there must not keep the stop from moving.
-- Everything is checked before the first write. The first write is one that Redis denies when memory is short, so that
-- it denies all of them.
local types = {'hash', 'list', 'string', 'string', 'stream', 'zset', 'zset', 'zset', 'set', 'zset', 'zset', 'zset', 'zset',
  'any', 'any'}
if #KEYS ~= #types then return redis.error_reply('ERR append takes ' .. #types .. ' keys') end
for i, want in ipairs(types) do
  local is = redis.call('TYPE', KEYS[i]).ok
  if is ~= 'none' and is ~= want and want ~= 'any' then
    return redis.error_reply('WRONGTYPE ' .. KEYS[i] .. ' is a ' .. is .. ', not a ' .. want)
  end
end
local n = tonumber(ARGV[17])
if not n or n % 2 ~= 0 or #ARGV < 17 + n then return redis.error_reply('ERR append: arguments are missing') end
for i = 5, 11 do
  local a = ARGV[i]
  if i ~= 8 and i ~= 9 and a ~= '' and a ~= '=' and not tonumber(a) then
    return redis.error_reply('ERR append: argument ' .. i .. ' is not a number')
  end
end
local id = ARGV[1]
if (redis.call('HGET', KEYS[1], 'seq') or '0') ~= ARGV[2] then return 0 end

if #ARGV > 17 + n then redis.call('RPUSH', KEYS[2], unpack(ARGV, 18 + n)) end
if n > 0 then redis.call('HSET', KEYS[1], unpack(ARGV, 18, 17 + n)) end
if ARGV[8] ~= '' then redis.call('SET', KEYS[3], ARGV[8]) end
if ARGV[5] ~= '=' then
  if ARGV[3] ~= '' then
    redis.call('ZREM', KEYS[10], id)
    if redis.call('ZCARD', KEYS[10]) == 0 then redis.call('SREM', KEYS[9], ARGV[3]) end
  end
  if ARGV[5] ~= '' then
    redis.call('ZADD', KEYS[11], ARGV[5], id)
    redis.call('SADD', KEYS[9], ARGV[4])
  end
end
if ARGV[6] == '' then redis.call('ZREM', KEYS[6], id)
elseif ARGV[6] ~= '=' then redis.call('ZADD', KEYS[6], ARGV[6], id) end
if ARGV[11] ~= '' then redis.call('ZADD', KEYS[13], ARGV[11], id) end
if ARGV[10] ~= '' then
  redis.call('ZREM', KEYS[13], id)
  redis.call('ZADD', KEYS[12], ARGV[10], id)
end

-- A leased stop stays its owner's; the mark makes the owner leave it due.
if ARGV[7] == '1' then
  local time = redis.call('TIME')
  local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  local score, fence = redis.call('ZSCORE', KEYS[7], id), redis.call('HGET', KEYS[1], 'fence')
  if score and fence and tonumber(score) == tonumber(fence) then
    redis.call('HSET', KEYS[1], 'again', '1')
  else
    redis.call('ZADD', KEYS[7], now, id)
  end
  redis.call('ZADD', KEYS[8], 'NX', now, id)
end

-- A claim that lapsed before its loop was heard belongs to it all the same: the loop went on.
if ARGV[12] ~= '' then
  local by, held = ARGV[12], redis.call('TYPE', KEYS[14]).ok == 'string' and redis.call('GET', KEYS[14])
  if held and (held == by or string.sub(held, 1, #by + 1) == by .. ' ') then
    redis.call('PERSIST', KEYS[14])
  else
    redis.call('SET', KEYS[14], by .. ' ' .. ARGV[13])
  end
end
if ARGV[14] == '1' then redis.call('PERSIST', KEYS[15]) end
if ARGV[9] ~= '' then redis.call('SET', KEYS[4], ARGV[9]) end
if ARGV[16] ~= '' then
  redis.call('XACK', KEYS[5], ARGV[15], ARGV[16])
  redis.call('XDEL', KEYS[5], ARGV[16])
end
if ARGV[9] ~= '' then redis.pcall('PUBLISH', KEYS[4], ARGV[9]) end
return 1
