-- Copyright The ctx-lsp authors. MIT licence.

-- Writes doc/ctx.txt: the options from their schema, the subcommands from their table, the functions from the comments
-- above them, and around these what the head of this file says.
--
--   nvim -u NONE -l scripts/doc.lua            writes it
--   nvim -u NONE -l scripts/doc.lua --check    fails when it is not up to date
local M = {}

local WIDTH = 78

local root = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

--- The words of a text in lines of at most WIDTH columns, each behind `indent`. Paragraphs stay apart.
---@param text string
---@param indent integer
---@return string[]
local function wrap(text, indent)
  local lines = {}
  for i, paragraph in ipairs(vim.split(vim.trim(text), '\n%s*\n')) do
    if i > 1 then
      lines[#lines + 1] = ''
    end
    local line = ''
    for word in paragraph:gmatch('%S+') do
      if line ~= '' and vim.fn.strdisplaywidth(line .. ' ' .. word) > WIDTH - indent then
        lines[#lines + 1] = (' '):rep(indent) .. line
        line = word
      else
        line = line == '' and word or line .. ' ' .. word
      end
    end
    if line ~= '' then
      lines[#lines + 1] = (' '):rep(indent) .. line
    end
  end
  return lines
end

--- Text at the left, a tag at the right, on one line if there is room and else on two.
local function tagged(left, ...)
  local tags = table.concat(
    vim.tbl_map(function(tag)
      return '*' .. tag .. '*'
    end, { ... }),
    ' '
  )
  local gap = WIDTH - vim.fn.strdisplaywidth(left) - vim.fn.strdisplaywidth(tags)
  if gap < 2 then
    return { (' '):rep(math.max(0, WIDTH - vim.fn.strdisplaywidth(tags))) .. tags, left }
  end
  return { left .. (' '):rep(gap) .. tags }
end

local function section(out, title, tag)
  vim.list_extend(out, { '', ('='):rep(WIDTH) })
  vim.list_extend(out, tagged(title:upper(), tag))
  out[#out + 1] = ''
end

local function code(out, lines)
  out[#out + 1] = '>lua'
  for _, line in ipairs(lines) do
    out[#out + 1] = line == '' and '' or '    ' .. line
  end
  out[#out + 1] = '<'
end

--- A value as it is written in Lua, on one line.
local function literal(value)
  return (vim.inspect(value):gsub('%s+', ' '):gsub('"', "'"))
end

local function options(out)
  section(out, 'Options', 'ctx-options')
  vim.list_extend(
    out,
    wrap(
      'All options are optional, and so is the call. An unknown option or a value of the wrong type is reported once and in |:checkhealth|; its default is used.',
      0
    )
  )
  out[#out + 1] = ''
  code(out, { "require('ctx').setup({", '  -- your changes to the defaults', '})' })
  for _, option in ipairs(require('ctx.config').schema) do
    out[#out + 1] = ''
    vim.list_extend(out, tagged(option.name, 'ctx-option-' .. option.name))
    local types = type(option.type) == 'table' and option.type or { option.type } --[[@as string[] ]]
    types = vim.tbl_filter(function(t)
      return t ~= 'nil'
    end, types)
    local kind = option.values and table.concat(option.values, ', ') or table.concat(types, ' or ')
    local default = option.default == nil and 'none' or option.default_text or literal(option.default)
    vim.list_extend(out, wrap(('Type: %s. Default: %s.'):format(kind, default), 4))
    out[#out + 1] = ''
    vim.list_extend(out, wrap((option.about:gsub('`([^`]+)`', '`%1`')), 4))
  end
end

local function commands(out)
  section(out, 'Commands', 'ctx-commands')
  vim.list_extend(out, tagged(':Ctx [subcommand]', ':Ctx'))
  vim.list_extend(out, wrap('Without a subcommand, `:Ctx` runs `:Ctx status`.', 4))
  local command = require('ctx.command')
  local arguments =
    { fetch = ' {name}', fits = ' [files]', focus = ' [session]', handover = ' [tokens]', sees = ' [line]' }
  for _, name in ipairs(command.names()) do
    out[#out + 1] = ''
    vim.list_extend(out, tagged(':Ctx ' .. name .. (arguments[name] or ''), ':Ctx-' .. name))
    vim.list_extend(out, wrap(command.subcommands[name].about, 4))
  end
  out[#out + 1] = ''
  vim.list_extend(out, tagged('Maps', 'ctx-maps'))
  vim.list_extend(out, wrap('No key is mapped. To map some:', 4))
  code(out, {
    "vim.keymap.set('n', '<leader>cs', '<Plug>(ctx-status)')",
    "vim.keymap.set('n', '<leader>cl', '<Plug>(ctx-sessions)')",
    "vim.keymap.set('n', '<leader>ch', '<Plug>(ctx-history)')",
    "vim.keymap.set('n', '<leader>cf', '<Plug>(ctx-focus)')",
  })
end

--- The functions of a file with the comments above them.
---@param path string
---@param pattern string
---@return { name: string, args: string, about: string[], params: string[], result: string? }[]
local function functions(path, pattern)
  local found, block = {}, {}
  for line in io.lines(root .. '/' .. path) do
    local comment = line:match('^%-%-%-%s?(.*)$')
    if comment then
      block[#block + 1] = comment
    else
      local name, args = line:match(pattern)
      local entry = { name = name, args = args, about = {}, params = {} }
      local private = false
      for _, text in ipairs(block) do
        local param, what = text:match('^@param (%S+) (.+)$')
        local result = text:match('^@return (.+)$')
        if text:match('^@private') then
          private = true
        elseif param then
          entry.params[#entry.params + 1] = ('{%s} %s'):format(param:gsub('%?$', ''), what)
        elseif result then
          entry.result = result
        elseif not text:match('^@') then
          entry.about[#entry.about + 1] = text
        end
      end
      if name and not private and #entry.about > 0 then
        found[#found + 1] = entry
      end
      block = {}
    end
  end
  return found
end

local function api(out, title, tag, path, pattern, prefix, tag_prefix)
  section(out, title, tag)
  for i, entry in ipairs(functions(path, pattern)) do
    if i > 1 then
      out[#out + 1] = ''
    end
    local args = entry.args:gsub('[%w_]+', '{%0}')
    vim.list_extend(
      out,
      tagged(('%s%s(%s)'):format(prefix, entry.name, args), ('%s%s()'):format(tag_prefix, entry.name))
    )
    vim.list_extend(out, wrap(table.concat(entry.about, ' '), 4))
    for _, param in ipairs(entry.params) do
      vim.list_extend(out, wrap(param, 8))
    end
    if entry.result then
      vim.list_extend(out, wrap('returns ' .. entry.result, 8))
    end
  end
end

local function fields(path, class)
  local lines, inside = {}, false
  for line in io.lines(root .. '/' .. path) do
    if line:find('---@class', 1, true) then
      inside = line:find(class .. '$') ~= nil
    end
    local name, what = line:match('^%-%-%-@field (%S+) (.+)$')
    if inside and name then
      lines[#lines + 1] = { name, what }
    end
  end
  return lines
end

local function described(out, list)
  for _, field in ipairs(list) do
    local lines = wrap((field[2]:gsub('|', ' | ')), 19)
    lines[1] = ('    %-14s %s'):format(field[1], vim.trim(lines[1]))
    vim.list_extend(out, lines)
  end
end

--- The whole help file.
---@return string
function M.text()
  local out = { '*ctx.txt*  Context window meter for coding agents' }
  vim.list_extend(out, tagged('', 'ctx'))
  out[#out + 1] = ''
  vim.list_extend(
    out,
    wrap(
      [[
A coding agent's model can hold so much and no more; what does not fit is compacted, and much is forgotten. This plugin
puts into the statusline how full the context of the agent is that works in this directory, and how far it is to the
compaction. `:Ctx` shows what fills it and what could go.

It reads what the agents write down on this machine. Nothing leaves the machine, no file of an agent is written, and no
text of a conversation is kept.]],
      0
    )
  )
  out[#out + 1] = ''
  for _, entry in ipairs({
    { 'Installation', 'ctx-install' },
    { 'The statusline', 'ctx-statusline' },
    { 'State as data', 'ctx-state' },
    { 'Commands', 'ctx-commands' },
    { 'Prompt files', 'ctx-prompt-files' },
    { 'Options', 'ctx-options' },
    { 'Highlight groups', 'ctx-highlights' },
    { 'Chat plugins', 'ctx-plugins' },
    { 'Functions', 'ctx-functions' },
    { 'Your own session', 'ctx-session' },
    { 'Troubleshooting', 'ctx-problems' },
  }) do
    out[#out + 1] = ('    %-30s |%s|'):format(entry[1], entry[2])
  end

  section(out, 'Installation', 'ctx-install')
  vim.list_extend(
    out,
    wrap(
      [[
With any plugin manager, as a plugin of the repository `ctx-lsp/ctx-lsp`; no setup() is needed. Neovim 0.10 and later have
everything, 0.7 to 0.9 the statusline and `:Ctx`. The program `ctx-lsp` has to be there too; what does not build it as these lines do needs
`npm install -g ctx-lsp` (from the first release on) or `go install github.com/ctx-lsp/ctx-lsp/cmd/ctx-lsp@latest`.]],
      0
    )
  )
  out[#out + 1] = ''
  -- The README's lines, which the tests run.
  local readme = table.concat(vim.fn.readfile(root .. '/README.md'), '\n')
  local lines = vim.split(assert(readme:match('\n## Install\n.-\n```lua\n(.-)\n```'), 'the README installs'), '\n')
  code(
    out,
    vim.list_extend(lines, {
      '',
      '-- from a checkout, without a plugin manager',
      "vim.opt.runtimepath:append('~/src/ctx-lsp/extensions/neovim')",
    })
  )

  section(out, 'The statusline', 'ctx-statusline')
  vim.list_extend(
    out,
    wrap(
      [[
While 'statusline' has the value that Neovim gave it, the reading is added to it by itself. In a statusline of your own,
take one of these. The text is made when a reading changes; drawing it costs a look into a table.]],
      0
    )
  )
  out[#out + 1] = ''
  vim.list_extend(
    out,
    wrap(
      [[
`~` marks an estimate, `≥` an incomplete sum, `!` a number older than data that ctx-lsp cannot read, and
`?` an unknown number.]],
      0
    )
  )
  out[#out + 1] = ''
  code(out, {
    '-- the option',
    [[vim.o.statusline = "%<%f %h%m%r%=%{%v:lua.require'ctx'.statusline()%}  %-14.(%l,%c%V%) %P"]],
    '',
    '-- lualine',
    "require('lualine').setup({ sections = { lualine_x = { 'ctx' } } })",
    '',
    '-- mini.statusline',
    "require('mini.statusline').setup({ content = { active = function()",
    '  -- … and your other sections',
    "  local ctx = { strings = { require('ctx').statusline() } }",
    "  return MiniStatusline.combine_groups({ '%<', '%f', '%=', ctx })",
    'end } })',
    '',
    '-- heirline',
    'local Ctx = {',
    "  condition = function() return require('ctx').status() ~= '' end,",
    "  provider = function() return (require('ctx').status():gsub('%%', '%%%%')) end,",
    "  hl = function() return require('ctx.highlight').of_level[require('ctx.status').level() or 'ok'] end,",
    "  update = { 'User', pattern = 'CtxUpdate' },",
    '}',
  })

  section(out, 'State as data', 'ctx-state')
  for _, entry in ipairs({
    { 'g:ctx_status', 'The text of the session in focus; empty if there is none.' },
    {
      'b:ctx_status',
      "The text of the buffer's session: a terminal's agent, a chat's own session, otherwise the session in focus.",
    },
    { 'b:ctx_status_dict', 'The complete Reading of that session, as defined by the protocol. Absent fields are nil.' },
  }) do
    vim.list_extend(out, tagged(entry[1], entry[1]))
    vim.list_extend(out, wrap(entry[2], 4))
    out[#out + 1] = ''
  end
  vim.list_extend(out, tagged('User CtxUpdate', 'CtxUpdate'))
  vim.list_extend(out, wrap('A session has changed. Data: `session`, `reading`.', 4))
  out[#out + 1] = ''
  vim.list_extend(out, tagged('User CtxLevel', 'CtxLevel'))
  vim.list_extend(
    out,
    wrap('A session has reached another level or was compacted. Data: `session`, `level`, `before`, `reading`.', 4)
  )
  code(out, {
    "vim.api.nvim_create_autocmd('User', {",
    "  pattern = 'CtxLevel',",
    '  callback = function(args)',
    "    if args.data.level == 'now' then print(args.data.reading.display.left .. ' to compact') end",
    '  end,',
    '})',
  })

  commands(out)

  section(out, 'Prompt files', 'ctx-prompt-files')
  vim.list_extend(
    out,
    wrap(
      [[
AGENTS.md, CLAUDE.md, SKILL.md and their kin are read by agents, some of them in every request. In them the server is
attached through Neovim's own client: a code lens says what the file costs and when it is loaded, inlay hints what its
sections and imports cost, hover and diagnostics say more. Running the lens shows what the file is made of. With
Neovim 0.11 and later the configuration is found under the name `ctx`:]],
      0
    )
  )
  out[#out + 1] = ''
  code(out, { "vim.lsp.config('ctx', { on_attach = function(client, buffer) end })" })

  options(out)

  section(out, 'Highlight groups', 'ctx-highlights')
  for _, entry in ipairs({
    { 'CtxOk', 'far from compaction; in the statusline only with `always`' },
    { 'CtxSoon', 'close to it' },
    { 'CtxNow', 'the next turn is expected to compact the session' },
    { 'CtxOver', 'past the compaction threshold' },
  }) do
    vim.list_extend(out, tagged(('%-10s %s'):format(entry[1], entry[2]), 'hl-' .. entry[1]))
  end
  out[#out + 1] = ''
  vim.list_extend(
    out,
    wrap(
      'Each is linked to a group of your color scheme; so are `CtxTitle`, `CtxLabel`, `CtxNumber`, `CtxMuted` and `CtxLine` of the windows.',
      0
    )
  )

  section(out, 'Chat plugins', 'ctx-plugins')
  vim.list_extend(
    out,
    wrap(
      [[
The chats of these plugins are followed from the moment the plugin is loaded. Their buffers show their own session.
Neovim 0.8 and later.]],
      0
    )
  )
  out[#out + 1] = ''
  for _, plugin in ipairs(require('ctx.adapters').plugins) do
    out[#out + 1] = ('    %-22s |ctx-option-adapters.%s|'):format(plugin.title, plugin.name)
  end

  api(
    out,
    'Functions',
    'ctx-functions',
    'lua/ctx/init.lua',
    '^function M%.([%w_]+)%((.-)%)$',
    "require('ctx').",
    'ctx-'
  )
  api(
    out,
    'Your own session',
    'ctx-session',
    'lua/ctx/session.lua',
    '^function Session:([%w_]+)%((.-)%)$',
    'session:',
    'ctx-session:'
  )
  out[#out + 1] = ''
  vim.list_extend(out, tagged('Parameters of a session', 'ctx.OpenOpts'))
  described(out, fields('lua/ctx/session.lua', 'ctx%.OpenOpts'))
  out[#out + 1] = ''
  vim.list_extend(out, tagged('Items', 'ctx.Item'))
  described(out, fields('lua/ctx/session.lua', 'ctx%.Item'))
  out[#out + 1] = ''
  code(out, {
    "local session = require('ctx').open({ model = 'gpt-5.5', provider = 'openai', buffer = 0 })",
    "session:update({ system = 'You are a helpful assistant.' })",
    "session:append({ kind = 'user', text = prompt })",
    '-- after the reply, with the usage object of the provider:',
    'session:usage(response.usage, { through = 1 })',
    "session:append({ kind = 'assistant', text = reply })",
    'session:on_reading(function(reading) print(reading.display.percent) end)',
  })

  section(out, 'Troubleshooting', 'ctx-problems')
  vim.list_extend(
    out,
    wrap(
      [[
`:checkhealth ctx` says which program is used and which version it has, which agents' sessions were found, and which
options are wrong. `:Ctx log` says what happened to the server. A server that ends is started again, and given up when
it ends four times within a minute; `:Ctx restart` starts afresh. Meanwhile the statusline is quiet.]],
      0
    )
  )
  vim.list_extend(out, { '', ('vim:tw=%d:ts=8:noet:ft=help:norl:'):format(WIDTH), '' })
  for i, line in ipairs(out) do
    out[i] = line:gsub('%s+$', '')
  end
  return table.concat(out, '\n')
end

M.path = root .. '/doc/ctx.txt'

--- The file of tags that belongs to it: with it, help is there however the plugin was installed.
---@return string
function M.tags()
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder)
  local file = assert(io.open(folder .. '/ctx.txt', 'w'))
  file:write(M.text())
  file:close()
  vim.cmd('helptags ' .. vim.fn.fnameescape(folder))
  local tags = table.concat(vim.fn.readfile(folder .. '/tags'), '\n') .. '\n'
  vim.fn.delete(folder, 'rf')
  return tags
end

---@param path string
---@return string?
local function kept(path)
  local file = io.open(path)
  if file then
    local text = file:read('*a')
    file:close()
    return text
  end
end

---@return boolean
function M.is_current()
  return kept(M.path) == M.text() and kept(root .. '/doc/tags') == M.tags()
end

-- Required by a test it only offers these; run as a script it acts.
if _G.arg and (_G.arg[0] or ''):match('doc%.lua$') then
  vim.opt.runtimepath:prepend(root)
  if _G.arg[1] == '--check' then
    if not M.is_current() then
      io.stderr:write('doc/ctx.txt is not up to date: run make doc-neovim\n')
      os.exit(1)
    end
  else
    for path, text in pairs({ [M.path] = M.text(), [root .. '/doc/tags'] = M.tags() }) do
      local file = assert(io.open(path, 'w'))
      file:write(text)
      file:close()
    end
  end
end

return M
