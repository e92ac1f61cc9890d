-- An entry leaves the inbox without having moved a stop: settled, dead, or refused.
-- KEYS  1 inbox  2 dead  3 refusal (also the channel; the inbox again when nothing is refused)
-- ARGV  1 group  2 entry  3 why it is dead ('' it is not)  4 op  5 body  6 refusal ('' none)  7 its life in s
--       8 how many dead entries are kept
-- The inbox comes last, so that a write which Redis denies leaves the entry in it.
if #KEYS ~= 3 or #ARGV ~= 8 then return redis.error_reply('ERR leave: arguments are missing') end
if ARGV[6] ~= '' then redis.call('SET', KEYS[3], ARGV[6], 'EX', ARGV[7]) end
if ARGV[3] ~= '' then
  redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[8], '*', 'entry', ARGV[2], 'why', ARGV[3], 'op', ARGV[4], 'body', ARGV[5])
end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
if ARGV[6] ~= '' then redis.pcall('PUBLISH', KEYS[3], ARGV[6]) end
return 1
