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
    about = 'Show the content of the context window, the compaction threshold, and what you can remove.',
    run = function()
      require('ctx.view.status').open()
    end,
  },
  sessions = {
    about = 'Pick one of all sessions on this machine; it stays in focus until you pick another one or run `:Ctx focus`.',
    run = function()
      require('ctx.view.sessions').open()
    end,
  },
  history = {
    about = 'Show the usage chart of the session, its compactions and the compaction threshold.',
    run = function()
      require('ctx.view.history').open()
    end,
  },
  handover = {
    about = 'Write a handover note of at most N tokens (2000) from the transcript.',
    run = function(args)
      require('ctx.view.retold').handover(args[1])
    end,
  },
  forgot = {
    about = 'Show what the last compaction kept, mentioned in its summary, and dropped.',
    run = function()
      require('ctx.view.retold').forgot()
    end,
  },
  sees = {
    about = 'Show which lines of the visible files are in the next request, or hide it; `:Ctx sees line` explains one.',
    run = function(args)
      local sight = require('ctx.sight')
      if args[1] == 'line' then
        sight.line()
      else
        sight.toggle()
      end
    end,
    complete = function()
      return { 'line' }
    end,
  },
  fits = {
    about = 'Check whether files, directories, the lines of a range, or the buffer fit into the session.',
    run = function(args, range)
      require('ctx.view.retold').fits(args, range)
    end,
    complete = function()
      return vim.fn.glob('*', false, true)
    end,
  },
  focus = {
    about = 'Keep a session in focus, by its id, the beginning of it or words of its title; without one, follow the editor.',
    run = function(args)
      if args[1] then
        require('ctx.focus').hold_named(table.concat(args, ' '))
      else
        require('ctx.focus').hold()
      end
    end,
    complete = function()
      return require('ctx.readings').names()
    end,
  },
  fetch = {
    about = 'Download a vocabulary for exact counts from its public address, like `ctx-lsp vocab fetch`: claude, gemini …',
    run = function(args)
      require('ctx.offer').fetch(args[1])
    end,
    complete = function()
      return { 'claude', 'deepseek', 'gemini', 'llama', 'qwen' }
    end,
  },
  restart = {
    about = 'Restart the server.',
    run = function()
      require('ctx.start').again()
    end,
  },
  log = {
    about = 'Show the log of events of the server, and the path of its own log.',
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
    require('ctx.notify').show(
      ('%q is not a subcommand; :Ctx <Tab> lists them'):format(name:sub(1, 20)),
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
