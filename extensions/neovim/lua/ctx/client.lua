-- Copyright The ctx-lsp authors. MIT licence.

--- The only connection to the server: this file starts the server through Neovim's language client, restarts it a few
--- times, and sends requests. Readings from the server go to `ctx.readings`, and the server's state to `ctx.status`.
local log = require('ctx.log')
local program = require('ctx.program')

local M = {}

--- A server that has ended this often within WINDOW milliseconds is not started again automatically.
local ENDS, WINDOW = 4, 60000

--- How long the server may take to respond to its first request, in milliseconds.
M.patience = 20000

--- How many requests may wait for a server that is starting.
local QUEUE = 500

--- How long to wait before the server is restarted, in milliseconds, by the number of times it has ended.
local PAUSES = { 200, 1000, 4000 }

---@alias ctx.ServerState "stopped"|"starting"|"ready"|"failed"

---@class (exact) ctx.Server
---@field state ctx.ServerState
---@field problem string? why it failed, as a sentence
---@field version string? the version that the server reports
---@field command string[]?
---@field source string? where the command was found
---@field restarts integer
---@field id integer? the language client's

---@type ctx.Server
local server = { state = 'stopped', restarts = 0 }

--- The times when the server ended unexpectedly, in milliseconds of the loop's clock.
---@type integer[]
local ends = {}

--- The number of the last start, so that messages of an earlier start are ignored.
local generation = 0

---@type { method: string, params: table?, callback: fun(err: string?, result: any, refusal: ctx.Refusal?)? }[]
local waiting = {}

---@type fun()[]
local on_ready = {}

--- Whether the editor supports everything that the inline features need.
M.full = vim.fn.has('nvim-0.10') == 1

--- Replaces JSON's null by nil in a value, as in absent fields, whatever the version of Neovim.
---@generic T
---@param value T
---@return T?
local function plain(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == 'table' then
    for key, inner in pairs(value) do
      if inner == vim.NIL then
        value[key] = nil
      elseif type(inner) == 'table' then
        plain(inner)
      end
    end
  end
  return value
end
M.plain = plain

---@return ctx.Server
function M.server()
  return server
end

---@param state ctx.ServerState
---@param problem? string
local function become(state, problem)
  server.state, server.problem = state, problem
  log.add('server ' .. state .. (problem and (': ' .. problem) or ''))
  require('ctx.status').server_changed()
end

--- Returns the working directory; empty if it was removed while the editor runs.
---@return string
function M.cwd()
  local ok, cwd = pcall(vim.fn.getcwd)
  return ok and cwd or ''
end

local function failed(problem)
  for _, request in ipairs(waiting) do
    if request.callback then
      vim.schedule(function()
        request.callback(problem)
      end)
    end
  end
  waiting = {}
  become('failed', problem)
end

--- Returns the handler of a refresh request, which reports that the server's data about prompt files is outdated.
--- Neovim's own handler runs first: before 0.12 there is none, or it leaves the drawing unchanged.
---@param method string
local function refreshed(method)
  return function(problem, result, context, config)
    local own = vim.lsp.handlers[method]
    local answer = own and own(problem, result, context, config)
    vim.schedule(function()
      require('ctx.inline').again(method)
    end)
    return answer == nil and vim.NIL or answer
  end
end

local function handlers()
  return {
    ['workspace/inlayHint/refresh'] = refreshed('workspace/inlayHint/refresh'),
    ['workspace/codeLens/refresh'] = refreshed('workspace/codeLens/refresh'),
    ['workspace/diagnostic/refresh'] = refreshed('workspace/diagnostic/refresh'),
    ['$/progress'] = function(problem, result, context, config)
      local own = vim.lsp.handlers['$/progress']
      if own then
        own(problem, result, context, config)
      end
      require('ctx.status').progress(plain(result))
    end,
    ['ctx/reading'] = function(_, reading)
      require('ctx.readings').put(plain(reading))
    end,
    ['ctx/level'] = function(_, change)
      require('ctx.readings').level(plain(change))
    end,
    ['ctx/focused'] = function(_, change)
      require('ctx.focus').changed(plain(change))
    end,
    ['ctx/closed'] = function(_, change)
      require('ctx.readings').closed(plain(change))
    end,
    ['ctx/searched'] = function()
      require('ctx.status').search(false)
    end,
    ['ctx/offer'] = function(_, offer)
      require('ctx.offer').take(plain(offer))
    end,
    ['window/logMessage'] = function(_, message)
      log.add(type(message) == 'table' and message.message or '')
    end,
  }
end

--- The real exit code and signal of the server, if Neovim was given a clean exit.
---@type { code: integer, signal: integer }?
local how_ended

--- Handles the end of the client with this id.
local function ended(code, signal, id)
  if id ~= server.id then
    return
  end
  server.id = nil
  if server.state == 'stopped' then
    return
  end
  generation = generation + 1
  local this = generation
  local now = vim.loop.now()
  ends = vim.tbl_filter(function(at)
    return now - at < WINDOW
  end, ends)
  ends[#ends + 1] = now
  local how = signal ~= 0 and ('by signal %d'):format(signal) or ('with code %d'):format(code)
  if #ends >= ENDS then
    return failed(
      ('the server ended %d times within %d seconds, the last time %s; see :Ctx log, or try again with :Ctx restart'):format(
        #ends,
        WINDOW / 1000,
        how
      )
    )
  end
  become('starting', ('the server ended %s and is being restarted'):format(how))
  server.restarts = server.restarts + 1
  vim.defer_fn(function()
    if this == generation and server.state == 'starting' then
      M.start(true)
    end
  end, PAUSES[math.min(#ends, #PAUSES)])
end

--- Handles the start of a client: this plugin's, or one that the user started before with vim.lsp.enable().
local function ready(client, result)
  if server.state == 'ready' or server.id and server.id ~= client.id then
    return
  end
  generation = generation + 1
  server.id = client.id
  local info = plain(result) and result.serverInfo
  server.version = info and info.version or server.version
  become('ready')
  require('ctx.focus').watch()
  local queue = waiting
  for _, callback in ipairs(on_ready) do
    callback()
  end
  waiting = {}
  for _, request in ipairs(queue) do
    M.request(request.method, request.params, request.callback)
  end
end

--- Returns the configuration of the language client. Neovim 0.11 and later find it under lsp/ctx.lua.
---@return table
function M.config()
  local options = require('ctx.config').get()
  local command = server.command or program.find()
  local config = {
    name = 'ctx',
    cmd = command or { 'ctx-lsp', 'serve' },
    handlers = handlers(),
    commands = {
      ['ctx.document.breakdown'] = function(lens)
        require('ctx.inline').breakdown(lens)
      end,
    },
    init_options = next(options.settings) and options.settings or nil,
    -- An empty Lua table would be sent as a list.
    settings = { ctx = next(options.settings) and options.settings or vim.empty_dict() },
    on_init = function(client, result)
      -- The client accepts requests only after this has returned.
      vim.schedule(function()
        ready(client, result)
      end)
    end,
    on_exit = function(code, signal, id)
      if id == server.id and how_ended then
        code, signal, how_ended = how_ended.code, how_ended.signal, nil
      end
      vim.schedule(function()
        ended(code, signal, id)
      end)
    end,
  }
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { serverStatusNotification = false }
  if M.full then
    capabilities.workspace = vim.tbl_deep_extend('force', capabilities.workspace or {}, {
      codeLens = { refreshSupport = true },
      inlayHint = { refreshSupport = true },
      diagnostics = { refreshSupport = true },
    })
  end
  config.capabilities = capabilities
  return config
end

--- Returns a command that reports every end of the server to Neovim as a clean exit; otherwise Neovim would show a
--- message that waits for Enter. The plugin restarts the server itself, and reports what the user has to know.
---@param command any
---@return any
local function quiet(command)
  if type(command) ~= 'table' or vim.fn.has('nvim-0.10') == 0 then
    return command
  end
  return function(dispatchers)
    local own = vim.tbl_extend('force', {}, dispatchers)
    own.on_exit = function(code, signal)
      how_ended = { code = code, signal = signal }
      return dispatchers.on_exit(0, 0)
    end
    return vim.lsp.rpc.start(command, own)
  end
end

--- Starts the language client without a buffer, with the function that the running version of Neovim provides.
local function launch()
  local config
  if vim.lsp.enable then
    -- This contains what the user has set with vim.lsp.config('ctx', …).
    vim.lsp.config('ctx', vim.tbl_extend('force', M.config(), { root_dir = require('ctx.inline').root_dir }))
    config = vim.deepcopy(vim.lsp.config.ctx)
    config.root_dir = M.cwd()
    config.cmd = quiet(config.cmd)
    return vim.lsp.start(config, { attach = false, silent = true })
  end
  config = M.config()
  config.root_dir = M.cwd()
  config.cmd = quiet(config.cmd)
  return vim.lsp.start_client(config)
end

--- Starts the server if it is not running. A missing program is reported once; the health check explains why it is
--- missing or unsuitable.
---@param again? boolean after it ended by itself
function M.start(again)
  if not again and (server.state == 'starting' or server.state == 'ready') then
    return
  end
  generation = generation + 1
  local this = generation
  local command, source = program.find()
  if not command then
    require('ctx.notify').once('the program ctx-lsp was not found; see :checkhealth ctx', vim.log.levels.WARN)
    return failed(source)
  end
  server.command, server.source = command, source
  become('starting')
  program.probe(command[1], function(version, problem)
    if this ~= generation or server.state ~= 'starting' then
      return
    end
    if not version then
      return failed(problem or 'the program did not report its version')
    end
    server.version = version.version
    local ok, id = pcall(launch)
    if not ok or not id then
      return failed('the server could not be started: ' .. tostring(id))
    end
    server.id = id
    vim.defer_fn(function()
      if server.id == id and server.state == 'starting' then
        M.stop()
        failed(('the server did not respond for %g seconds; try again with :Ctx restart'):format(M.patience / 1000))
      end
    end, M.patience)
    local running = vim.lsp.get_client_by_id(id)
    if running and running.initialized then
      -- The user has already started it.
      ready(running)
    end
  end)
end

---@return table? client
local function client()
  return server.id and vim.lsp.get_client_by_id(server.id)
end

--- Stops the server. It does not start again until it is requested.
function M.stop()
  local running = client()
  generation = generation + 1
  server.id = nil
  become('stopped')
  if running then
    if M.full and vim.fn.has('nvim-0.11') == 1 then
      running:stop()
    else
      running.stop()
    end
  end
end

--- Restarts the server, and forgets everything that kept it from starting.
function M.restart()
  M.stop()
  ends = {}
  server.restarts = 0
  M.start()
end

--- Calls back each time the server has become ready, before the waiting requests are sent; at once if it is already
--- ready.
---@param callback fun()
function M.when_ready(callback)
  on_ready[#on_ready + 1] = callback
  if server.state == 'ready' then
    callback()
  end
end

--- The error that a server returned.
---@class (exact) ctx.Refusal
---@field code integer
---@field kind string? one of the kinds of errors in docs/protocol.md

--- Reports whether a request would be sent at once.
---@return boolean
function M.reachable()
  return server.state == 'ready' and client() ~= nil
end

--- Sends a request. It waits until the server is ready; if there can be no server, the callback gets the reason. If the
--- server itself returned an error, the callback gets the refusal too.
---@param method string
---@param params? table
---@param callback? fun(err: string?, result: any, refusal: ctx.Refusal?)
function M.request(method, params, callback)
  local running = client()
  if server.state ~= 'ready' or not running then
    if server.state == 'failed' or server.state == 'stopped' then
      if callback then
        local problem = server.problem or 'the server is not running; start it with :Ctx restart'
        vim.schedule(function()
          callback(problem)
        end)
      end
      return
    end
    if #waiting < QUEUE then
      waiting[#waiting + 1] = { method = method, params = params, callback = callback }
    elseif callback then
      callback('too many requests are waiting for the server to start')
    end
    return
  end
  local function answer(err, result)
    if not callback then
      return
    end
    if type(err) == 'table' then
      local data = plain(err.data)
      callback(err.message, nil, { code = err.code, kind = type(data) == 'table' and data.kind or nil })
    elseif err then
      callback(tostring(err))
    else
      callback(nil, plain(result))
    end
  end
  params = params and next(params) and params or vim.empty_dict()
  if vim.fn.has('nvim-0.11') == 1 then
    running:request(method, params, answer)
  else
    running.request(method, params, answer)
  end
end

return M
