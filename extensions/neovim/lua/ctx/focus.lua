--- Which session the editor is about: the server decides from the working directory, the file, or the terminal in
--- front; the user may hold one fast.
local api = vim.api
local client = require('ctx.client')
local readings = require('ctx.readings')
local status = require('ctx.status')

local M = {}

--- How long to wait for more before the server is asked, in milliseconds.
local CALM = 40

--- The session that the user holds fast.
---@type string?
local held

--- The working directory whose sessions the server reports.
---@type string?
local watched

local asked, due = 0, false

--- What the server needs to decide: of the buffer in front, the most telling thing.
---@param buffer integer
---@return table
local function question(buffer)
  local asking = { workspace = client.cwd() }
  if vim.bo[buffer].buftype == 'terminal' then
    local ok, pid = pcall(function()
      return vim.fn.jobpid(vim.b[buffer].terminal_job_id)
    end)
    asking.terminalPid = ok and pid or nil
  elseif vim.bo[buffer].buftype == '' then
    local name = api.nvim_buf_get_name(buffer)
    asking.file = name ~= '' and not name:find('^%a[%w+.-]+://') and name or nil
  end
  return asking
end

--- Asks which session is in front. Answers to older questions are not heard.
local function ask()
  due = false
  if client.server().state ~= 'ready' then
    return
  end
  asked = asked + 1
  local of = asked
  local buffer = api.nvim_get_current_buf()
  local own = vim.bo[buffer].buftype == 'terminal'
  client.request('ctx/focus', held and { session = held } or question(buffer), function(problem, reading)
    if of ~= asked then
      return
    end
    if problem and held then
      -- The session that was held is gone.
      held = nil
      return ask()
    end
    if problem then
      return
    end
    if reading then
      readings.put(reading)
    end
    status.focus(reading and reading.session or nil)
    if own and not held then
      status.tie(buffer, reading and reading.session or nil)
    end
  end)
end

--- Asks once things are calm.
function M.look()
  if not due then
    due = true
    vim.defer_fn(ask, CALM)
  end
end

--- Has the server report the sessions of the working directory.
function M.watch()
  local cwd = client.cwd()
  watched = cwd
  client.request('ctx/watch', { workspace = cwd }, function(problem, result)
    if problem then
      return require('ctx.log').add('ctx/watch: ' .. problem)
    end
    for _, reading in ipairs(result and result.sessions or {}) do
      readings.put(reading)
    end
    M.look()
  end)
end

--- Holds a session fast, or lets go.
---@param session? string
function M.hold(session)
  held = session
  M.look()
end

---@return string?
function M.held()
  return held
end

--- Follows the editor from now on.
function M.follow()
  local group = api.nvim_create_augroup('ctx_focus', {})
  api.nvim_create_autocmd({ 'BufEnter', 'TabEnter', 'TermOpen', 'FocusGained' }, { group = group, callback = M.look })
  api.nvim_create_autocmd('DirChanged', {
    group = group,
    callback = function()
      if client.server().state == 'ready' and client.cwd() ~= watched then
        M.watch()
      end
    end,
  })
  -- A session that nobody has in front may be the one that has just begun to work here.
  readings.on_change(function(reading)
    if reading.session ~= status.focused() then
      M.look()
    end
  end)
end

return M
