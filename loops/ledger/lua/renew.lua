-- Makes an empty inbox anew, whose ids begin at Redis's time again.
-- KEYS  1 inbox
-- ARGV  1 group
-- returns 1 when it did, 0 when entries are in it
if redis.call('XLEN', KEYS[1]) > 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
return 1
