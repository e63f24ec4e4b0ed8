-- One request of one subject against its sliding window: the rules of `domain::rate::Window`, statement by statement,
-- in one atomic step for all nodes. A test replays random histories through both and compares every answer.
--
-- KEYS[1] the subject's window
-- ARGV    window_ms, standard, burst, exceedances, block_ms, memory_ms, now in ms ('' for this server's own clock)
-- returns {1, remaining, reset} when served, {0, limit, retry_after} when rejected
local window_ms, standard, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local max_exceedances, block_ms, memory_ms = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

-- The nodes' clocks may disagree; this one does not.
local now = tonumber(ARGV[7])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local state = { accepted = {}, exceedances = {}, counted = 0, last = 0 }
local kept = redis.call('GET', KEYS[1])
if kept then state = cmsgpack.unpack(kept) end

local function drop_old(list, age)
  while list[1] and list[1] + age <= now do table.remove(list, 1) end
end

local function exceed(at)
  if max_exceedances == 0 then return end
  while state.exceedances[1] and state.exceedances[1] + memory_ms <= at do
    table.remove(state.exceedances, 1)
  end
  table.insert(state.exceedances, at)
  if #state.exceedances >= max_exceedances then state.blocked_until = at + block_ms end
end

local function over_ends()
  local newest_beyond = state.accepted[#state.accepted - standard]
  return newest_beyond and newest_beyond + window_ms or 0
end

local function count_time_over()
  if not state.over_since then return end
  local ends = over_ends()
  while true do
    local due = state.over_since + (state.counted + 1) * window_ms
    if due > now or due >= ends then break end
    state.counted = state.counted + 1
    exceed(due)
  end
  if ends <= now then state.over_since = nil end
end

local function catch_up()
  count_time_over()
  drop_old(state.accepted, window_ms)
  drop_old(state.exceedances, memory_ms)
  if state.blocked_until and state.blocked_until <= now then state.blocked_until = nil end
end

local function keep()
  local idle = window_ms + math.max(memory_ms, block_ms) + 1000
  redis.call('SET', KEYS[1], cmsgpack.pack(state), 'PX', idle)
end

local function reject(limit)
  keep()
  local wait = 0
  if state.blocked_until then
    wait = state.blocked_until - now
  elseif state.accepted[1] then
    wait = state.accepted[1] + window_ms - now
  end
  local seconds = math.max(math.ceil(wait / 1000), 1)
  -- Time spent over may block the key while the caller waits: then the block's end is the answer.
  local asked = now
  now = asked + seconds * 1000
  catch_up()
  if state.blocked_until then seconds = math.ceil((state.blocked_until - asked) / 1000) end
  return { 0, limit, seconds }
end

now = math.max(now, state.last)
state.last = now
catch_up()
if state.blocked_until then return reject(standard) end
if #state.accepted >= burst then return reject(burst) end
table.insert(state.accepted, now)
if not state.over_since and #state.accepted > standard then
  state.over_since = now
  state.counted = 0
  exceed(now)
end
keep()
return { 1, math.max(standard - #state.accepted, 0), math.ceil((state.accepted[1] + window_ms - now) / 1000) }
