-- where the thread stands, and what is known of the tasks that are due there
local m = fields('head')
return {m[1] or '', redis.call('LRANGE', NOTES, 0, -1)}
