-- Removes a consumer of a dead process, if nothing waits with it: removing one with entries would lose them.
-- KEYS  1 inbox
-- ARGV  1 group  2 consumer
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1
