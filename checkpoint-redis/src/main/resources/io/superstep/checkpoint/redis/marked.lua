-- thread: how far its outboxes were applied
return {redis.call('HGET', MARKERS, ARGV[1]) or ''}
