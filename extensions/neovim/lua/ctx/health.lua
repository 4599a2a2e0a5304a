-- Copyright The ctx-lsp authors. MIT licence.

--- `:checkhealth ctx`: the program, its server, the sessions it finds, the options, the chat plugins.
local M = {}

-- These functions were renamed in 0.8 and 0.10.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local err = health.error or health.report_error

--- How long the server may take to respond, in milliseconds.
local PATIENCE = 3000

--- Sends a request to the server and waits for the result.
---@param method string
---@param params? table
---@return any result
---@return string? problem
local function ask(method, params)
  local answered, result, problem = false, nil, nil
  require('ctx.client').request(method, params, function(p, r)
    answered, problem, result = true, p, r
  end)
  vim.wait(PATIENCE, function()
    return answered
  end, 10)
  if not answered then
    return nil, ('no response to %s within %d seconds'):format(method, PATIENCE / 1000)
  end
  return result, problem
end

local function editor()
  start('ctx: Neovim')
  local version = vim.version()
  local name = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if require('ctx.client').full then
    ok(name)
  else
    warn(name .. ': the statusline and :Ctx work, hints in prompt files need 0.10 or later', { 'update Neovim' })
  end
end

--- Returns whether there is a usable program.
local function binary()
  start('ctx: the program')
  local program = require('ctx.program')
  local command, source = program.find()
  if not command then
    err((source:gsub(': ' .. vim.pesc(program.REMEDY), '')), { program.REMEDY })
    return false
  end
  ok(('found by %s: %s'):format(source, table.concat(command, ' ')))
  local done, version, problem = false, nil, nil
  program.probe(command[1], function(v, p)
    done, version, problem = true, v, p
  end)
  vim.wait(6000, function()
    return done
  end, 10)
  if not version then
    err((problem or 'it did not report its version'):gsub(': ' .. vim.pesc(program.REMEDY), ''), { program.REMEDY })
    return false
  end
  ok(('version %s, with schema %s'):format(version.version, version.reading))
  return true
end

--- Returns whether the server is running.
local function server()
  start('ctx: the server')
  local state = require('ctx.client').server()
  if state.state == 'failed' then
    err(state.problem or 'it failed', { 'see :Ctx log', 'try again with :Ctx restart' })
    return false
  elseif state.state ~= 'ready' then
    warn(state.problem or 'it is not running', { 'start it with :Ctx restart' })
    return false
  end
  ok(('version %s is running, restarted %d times'):format(state.version or '?', state.restarts))
  return true
end

local function sessions()
  start('ctx: sessions')
  local earlier, problem = ask('ctx/earlier', { limit = 500 }) -- first, or one that is read in between is missing
  if problem then
    err(problem)
    return
  end
  local result
  result, problem = ask('ctx/sessions')
  if problem then
    err(problem)
    return
  end
  local by_agent, read, names, known = {}, {}, {}, {}
  local function count(session, is_read)
    local agent = session.agent ~= '' and session.agent or 'generic'
    if not by_agent[agent] then
      by_agent[agent], read[agent] = 0, 0
      names[#names + 1] = agent
    end
    by_agent[agent] = by_agent[agent] + 1
    read[agent] = read[agent] + (is_read and 1 or 0)
  end
  for _, session in ipairs(result and result.sessions or {}) do
    known[session.session] = true
    if not session.parent then -- sub-agents belong to their sessions
      count(session, true)
    end
  end
  for _, session in ipairs(earlier and earlier.sessions or {}) do
    if not known[session.session] then
      count(session, false)
    end
  end
  table.sort(names)
  for _, agent in ipairs(names) do
    local least = earlier and earlier.more and 'at least ' or ''
    ok(('%s: %s%d, %d of them read'):format(agent, least, by_agent[agent], read[agent]))
  end
  if #names == 0 then
    info('no agent session was found; `ctx-lsp doctor` shows the directories that were searched')
  end
  local reading = require('ctx.status').reading()
  if reading then
    info(('shown here: %s in %s'):format(reading.session, reading.workspace ~= '' and reading.workspace or 'no folder'))
    return
  end
  local sentence
  require('ctx.view.status').why_none(function(why)
    sentence = why
  end)
  vim.wait(PATIENCE, function()
    return sentence ~= nil
  end, 10)
  info(sentence or 'the server did not report the sessions of ' .. require('ctx.client').cwd())
end

local function options()
  start('ctx: options')
  local config = require('ctx.config')
  config.get()
  if #config.problems == 0 then
    ok('the options are valid')
  end
  for _, problem in ipairs(config.problems) do
    err(problem, { 'see :help ctx-options' })
  end
end

local function plugins()
  start('ctx: chat plugins')
  local adapters = require('ctx.adapters')
  for _, plugin in ipairs(adapters.plugins) do
    if adapters.listening()[plugin.name] then
      ok(plugin.title .. ' is followed')
    elseif not require('ctx.config').get().adapters[plugin.name] then
      info(plugin.title .. ' is not followed: the option adapters.' .. plugin.name .. ' is false')
    else
      info(plugin.title .. ' is not loaded')
    end
  end
end

function M.check()
  editor()
  options()
  if binary() and server() then
    sessions()
  end
  plugins()
end

return M
