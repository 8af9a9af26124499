-- What all scripts about the index of threads share. A thread that may have work to do is among the
-- live ones, with the last number that somebody took to begin with it.
local NUMBER, LIVE, DONE, EXPIRY = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

