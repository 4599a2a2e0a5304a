-- Copyright The ctx-lsp authors. MIT licence.

--- The options. One schema defines the defaults, the checks and the chapter in the help file.
---
--- An invalid option never breaks the editor: its default is used, and `problems` contains the error.
local M = {}

---@class (exact) ctx.Option
---@field name string dotted for nested options
---@field type string|string[] as `type()` names it; the first one is the usual one
---@field values? string[] the words a string may be
---@field default any
---@field default_text? string how the help file prints a default that is long
---@field about string

--- The options as the user writes them: all of them are optional.
---@class (exact) ctx.SetupOpts
---@field cmd? string[]
---@field agents? string[]
---@field autostart? boolean
---@field format? string|fun(reading: ctx.Reading): string
---@field mode? "hybrid"|"provider"
---@field statusline? { auto?: boolean, highlight?: "levels"|"always"|"never" }
---@field notify? { soon?: boolean, now?: boolean, over?: boolean }
---@field inline? { codelens?: boolean, inlay_hints?: boolean }
---@field prompt_files? string[]
---@field adapters? { codecompanion?: boolean, avante?: boolean, copilotchat?: boolean }
---@field float? { border?: string|string[], width?: integer }
---@field settings? table

--- The options as the plugin reads them: all of them are set.
---@class (exact) ctx.Config
---@field cmd string[]?
---@field agents string[]
---@field autostart boolean
---@field format string|fun(reading: ctx.Reading): string
---@field mode "hybrid"|"provider"
---@field statusline { auto: boolean, highlight: "levels"|"always"|"never" }
---@field notify { soon: boolean, now: boolean, over: boolean }
---@field inline { codelens: boolean, inlay_hints: boolean }
---@field prompt_files string[]
---@field adapters { codecompanion: boolean, avante: boolean, copilotchat: boolean }
---@field float { border: string|string[], width: integer }
---@field settings table

---@type ctx.Option[]
M.schema = {
  {
    name = 'cmd',
    type = { 'table', 'nil' },
    about = [[
The command that starts the server, as a list. Without it the program `ctx-lsp` is looked for in the environment variable
`CTX_LSP_PATH`, on the PATH, and in `~/go/bin` and `~/.local/bin`.]],
  },
  {
    name = 'agents',
    type = 'table',
    default = { 'all' },
    about = [[
The agents whose sessions and settings the server reads on this machine, by id such as `claude-code` and `codex`. `all` for
every agent; with an empty list none is read. It has no effect on a server that the option `cmd` starts.]],
  },
  {
    name = 'autostart',
    type = 'boolean',
    default = true,
    about = 'Start the server when Neovim has a screen. With `false`, `:Ctx restart` or `require("ctx").start()` starts it.',
  },
  {
    name = 'format',
    type = { 'string', 'function' },
    default = 'ctx {mark}[{percent}|{used}][{?over} · {hint}| · {left} to compact][{?idle} · idle|{?ended} · ended]',
    about = [[
What the statusline says, or a function that makes it from the reading. A name in braces is replaced. Brackets hold
alternatives separated by `|`: the first one in which every name has a value is shown, or nothing. Of the window: `percent`,
`percent_left`, `used`, `limit`, `free`, `bar`. Of the way to compaction: `line`, `threshold_percent`, `threshold_percent_left`, `left`,
`calls`, `turns`. And `mark` (`~` estimated, `?` unknown), `agent_percent` (as the agent itself prints it), `level`, `agent`,
`model`, `title`, `branch`, `state`, `label`, `session`. The server fills the template; its documentation, docs/protocol.md,
has the whole language under `ctx/lines`.]],
  },
  {
    name = 'mode',
    type = 'string',
    values = { 'hybrid', 'provider' },
    default = 'hybrid',
    about = [[
`hybrid` shows what the next request will occupy, predicted from the last one. `provider` shows the last prompt as the
provider measured it and nothing else: `0.0%` and why until there is one.]],
  },
  {
    name = 'statusline.auto',
    type = 'boolean',
    default = true,
    about = [[
Add the reading to 'statusline' when the first one arrives, if that option still has Neovim's default value. A statusline
that you or a plugin set is left alone.]],
  },
  {
    name = 'statusline.highlight',
    type = 'string',
    values = { 'levels', 'always', 'never' },
    default = 'levels',
    about = '`levels` colors the text from `soon` on, `always` also uses |hl-CtxOk|, `never` turns colors off.',
  },
  {
    name = 'notify.soon',
    type = 'boolean',
    default = false,
    about = 'Notify once when a session comes close to its compaction threshold.',
  },
  {
    name = 'notify.now',
    type = 'boolean',
    default = true,
    about = 'Notify once when the next turn is expected to compact the session.',
  },
  {
    name = 'notify.over',
    type = 'boolean',
    default = true,
    about = 'Notify once when a session is past its compaction threshold.',
  },
  {
    name = 'inline.codelens',
    type = 'boolean',
    default = true,
    about = 'Code lenses in prompt files: the cost of a file and when it is loaded. Neovim 0.10 and later.',
  },
  {
    name = 'inline.inlay_hints',
    type = 'boolean',
    default = true,
    about = 'Inlay hints in prompt files: the tokens of sections and imports. Neovim 0.10 and later.',
  },
  {
    name = 'prompt_files',
    type = 'table',
    default = require('ctx.promptfiles'),
    default_text = 'the instruction, rule, skill and settings files of the agents',
    about = 'The files the language server is attached to, as autocommand patterns. |autocmd-pattern|',
  },
  {
    name = 'adapters.codecompanion',
    type = 'boolean',
    default = true,
    about = 'Follow the chats of codecompanion.nvim, if it is loaded.',
  },
  {
    name = 'adapters.avante',
    type = 'boolean',
    default = true,
    about = 'Follow the sidebar of avante.nvim, if it is loaded.',
  },
  {
    name = 'adapters.copilotchat',
    type = 'boolean',
    default = true,
    about = 'Follow the chat of CopilotChat.nvim, if it is loaded.',
  },
  {
    name = 'float.border',
    type = { 'string', 'table' },
    default = 'rounded',
    about = 'The border of the windows that `:Ctx` opens, as in |nvim_open_win()|.',
  },
  {
    name = 'float.width',
    type = 'number',
    default = 78,
    about = 'Maximum width of those windows, in columns.',
  },
  {
    name = 'settings',
    type = 'table',
    default = {},
    about = 'Settings of the server, passed on unchanged: its `initializationOptions` and its section `ctx` of `workspace/configuration`.',
  },
}

---@type ctx.Config?
local current

--- The problems with the options, one sentence for each.
---@type string[]
M.problems = {}

--- Returns the configuration, created from the defaults at the first use.
---@return ctx.Config
function M.get()
  if not current then
    M.setup()
  end
  return current --[[@as ctx.Config]]
end

--- Sets a value in a table of tables: set(t, 'a.b', 1) means t.a.b = 1.
local function set(tree, name, value)
  local keys = vim.split(name, '.', { plain = true })
  for i = 1, #keys - 1 do
    tree[keys[i]] = tree[keys[i]] or {}
    tree = tree[keys[i]]
  end
  tree[keys[#keys]] = value
end

local function get(tree, name)
  for _, key in ipairs(vim.split(name, '.', { plain = true })) do
    if type(tree) ~= 'table' then
      return nil
    end
    tree = tree[key]
  end
  return tree
end

--- Returns a copy of a value, so that the defaults cannot be changed.
local function copy(value)
  return type(value) == 'table' and vim.deepcopy(value) or value
end

--- Returns an error message about a value; nil if it is valid.
---@param option ctx.Option
---@return string?
local function wrong(option, value)
  local types = type(option.type) == 'table' and option.type or { option.type } --[[@as string[] ]]
  if not vim.tbl_contains(types, type(value)) then
    local wanted = vim.tbl_filter(function(t)
      return t ~= 'nil'
    end, types)
    return ('%s must be a %s, but is a %s'):format(option.name, table.concat(wanted, ' or a '), type(value))
  end
  if option.values and not vim.tbl_contains(option.values, value) then
    return ('%s must be one of %s, but is %q'):format(option.name, table.concat(option.values, ', '), value)
  end
  if option.name == 'cmd' and value ~= nil then
    for _, word in ipairs(value) do
      if type(word) ~= 'string' then
        return 'cmd must be a list of strings'
      end
    end
    if #value == 0 then
      return 'cmd must be a list of strings, but is empty'
    end
  end
  if option.name == 'prompt_files' then
    for _, pattern in ipairs(value) do
      if type(pattern) ~= 'string' then
        return 'prompt_files must be a list of strings'
      end
    end
  end
end

--- Adds a sentence for every key that is not an option.
---@param given table
---@param prefix string
---@param problems string[]
local function unknown_keys(given, prefix, problems)
  for key, value in pairs(given) do
    local name = prefix .. tostring(key)
    local known, group = false, false
    for _, option in ipairs(M.schema) do
      known = known or option.name == name
      group = group or vim.startswith(option.name, name .. '.')
    end
    if group and type(value) == 'table' then
      unknown_keys(value, name .. '.', problems)
    elseif group then
      problems[#problems + 1] = ('%s must be a table, but is a %s'):format(name, type(value))
    elseif not known then
      problems[#problems + 1] = ('%s is not an option'):format(name)
    end
  end
end

--- Builds the configuration from the user's options. All problems of a call are reported in one message.
---@param opts? ctx.SetupOpts
function M.setup(opts)
  local problems = {}
  if opts ~= nil and type(opts) ~= 'table' then
    problems[1] = ('the options must be a table, but are a %s'):format(type(opts))
    opts = nil
  end
  local made = {}
  for _, option in ipairs(M.schema) do
    local value = get(opts or {}, option.name)
    local problem = value ~= nil and wrong(option, value)
    if problem then
      problems[#problems + 1] = problem
      value = nil
    end
    if value == nil then
      value = option.default
    end
    set(made, option.name, copy(value))
  end
  unknown_keys(opts or {}, '', problems)
  table.sort(problems)
  M.problems = problems
  current = made
  if #problems > 0 then
    vim.schedule(function()
      require('ctx.notify').show(table.concat(problems, '; ') .. '. See :help ctx-options', vim.log.levels.WARN)
    end)
  end
  if package.loaded['ctx.status'] then
    require('ctx.status').refresh()
  end
end

return M
