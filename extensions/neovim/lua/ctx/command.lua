-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx {subcommand}`.
local M = {}

---@class (exact) ctx.Subcommand
---@field about string
---@field run fun(args: string[], range: { [1]: integer, [2]: integer }?)
---@field complete? fun(): string[]

---@type table<string, ctx.Subcommand>
M.subcommands = {
  status = {
    about = 'What fills the context window, the line at which it is compacted, and what could go.',
    run = function()
      require('ctx.view.status').open()
    end,
  },
  sessions = {
    about = 'Pick one of all the sessions; it is held in focus until another one is picked or `:Ctx focus` is said.',
    run = function()
      require('ctx.view.sessions').open()
    end,
  },
  history = {
    about = 'The curve of the session, its compactions and the line.',
    run = function()
      require('ctx.view.history').open()
    end,
  },
  handover = {
    about = 'A note with which somebody else goes on, from the transcript, of at most so many tokens (2000).',
    run = function(args)
      require('ctx.view.retold').handover(args[1])
    end,
  },
  forgot = {
    about = 'What the last compaction kept, what its summary speaks of, and what is gone.',
    run = function()
      require('ctx.view.retold').forgot()
    end,
  },
  fits = {
    about = 'Whether files, or else the lines of a range or the buffer, fit into the session.',
    run = function(args, range)
      require('ctx.view.retold').fits(args, range)
    end,
    complete = function()
      return vim.fn.glob('*', false, true)
    end,
  },
  focus = {
    about = 'Hold a session in focus, by its id or the beginning of it; without one, follow the editor again.',
    run = function(args)
      if args[1] then
        require('ctx.focus').hold_named(args[1])
      else
        require('ctx.focus').hold()
      end
    end,
    complete = function()
      return require('ctx.readings').names()
    end,
  },
  fetch = {
    about = 'Fetch a vocabulary for exact counts from its public address, as `ctx-lsp vocab fetch` does: claude, gemini …',
    run = function(args)
      require('ctx.offer').fetch(args[1])
    end,
    complete = function()
      return { 'claude', 'deepseek', 'gemini', 'llama', 'qwen' }
    end,
  },
  restart = {
    about = 'Start the server afresh.',
    run = function()
      require('ctx.start').again()
    end,
  },
  log = {
    about = 'What happened to the server, and where its own log is.',
    run = function()
      require('ctx.view.log').open()
    end,
  },
  health = {
    about = '|:checkhealth| for this plugin.',
    run = function()
      vim.cmd('checkhealth ctx')
    end,
  },
}

---@return string[]
function M.names()
  local names = vim.tbl_keys(M.subcommands)
  table.sort(names)
  return names
end

---@param args { fargs: string[], range?: integer, line1?: integer, line2?: integer }
function M.run(args)
  local name = args.fargs[1] or 'status'
  local subcommand = M.subcommands[name]
  if not subcommand then
    require('ctx.say').aloud(
      ('%q is not a subcommand; there are %s'):format(name, table.concat(M.names(), ', ')),
      vim.log.levels.ERROR
    )
    return
  end
  local rest = {}
  for i = 2, #args.fargs do
    rest[#rest + 1] = args.fargs[i]
  end
  local some = (args.range or 0) > 0
  subcommand.run(rest, some and { args.line1, args.line2 } or nil)
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = vim.split(vim.trim(line:sub(1, #line - #lead)), '%s+')
  local candidates = {}
  if #before == 1 then
    candidates = M.names()
  elseif #before == 2 then
    local subcommand = M.subcommands[before[2]]
    candidates = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
