-- Copyright The ctx-lsp authors. MIT licence.

-- Prompt files, with the real server: code lenses, inlay hints, hover, diagnostics through the built-in client.
local editor = require('editor')
local eq = require('mini.test').expect.equality

local T = editor.set()

local AGENTS = '# Rules\n\nBe brief. Write tests.\n\n## Style\n\nTwo spaces, no tabs.\n'

local function open(files, opts)
  opts = opts or {}
  local work = editor.folder()
  for name, text in pairs(files) do
    editor.write(work .. '/' .. name, text)
  end
  local e = editor.open(vim.tbl_extend('force', { cwd = work, env = editor.real() }, opts))
  e:wait_ready()
  return e
end

local CLIENTS = '(vim.lsp.get_clients or vim.lsp.get_active_clients)({ bufnr = 0 })'

--- The inlay hints that the editor shows, as texts.
local HINTS = [[(function()
  local texts = {}
  for _, found in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local label = found.inlay_hint.label
    if type(label) == 'table' then
      label = table.concat(vim.tbl_map(function(part) return part.value end, label))
    end
    texts[#texts + 1] = label
  end
  return texts
end)()]]

T['inlay hints follow the typing in AGENTS.md'] = function()
  editor.needs(10, 'inlay hints')
  local e = open({ ['AGENTS.md'] = AGENTS })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for('#' .. HINTS .. ' > 0', 'there are hints')
  local before = e:get('vim.inspect(' .. HINTS .. ')')
  e.child.type_keys('G', 'o', ('Never guess a number. '):rep(40))
  e:wait_for(('vim.inspect(%s) ~= %s'):format(HINTS, vim.inspect(before)), 'the hints have changed while typing')
  e.child.type_keys('<Esc>')
end

-- A file that was opened before its agent was known is counted for another model. When the agent's is known, nothing
-- that is shown stays as it was.
T['hints and lenses follow the model of the session'] = function()
  editor.needs(10, 'inlay hints')
  local transcript = require('fixtures.transcript')
  local claude = editor.folder()
  local rules = '# Rules\n\n' .. ('Never guess a number, and write tests. '):rep(200)
  local files = { ['CLAUDE.md'] = rules .. '\n\n## Build\n\nmake\n' }
  local e = open(files, { env = editor.real(claude) })
  e:lua("vim.cmd('edit CLAUDE.md')")
  local LENSES = [[(function()
    local titles = {}
    for _, lens in ipairs(vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = 0 } or 0)) do
      titles[#titles + 1] = ((lens.lens or lens).command or {}).title
    end
    return table.concat(titles, '; ')
  end)()]]
  e:wait_for('#' .. HINTS .. ' > 0 and #' .. LENSES .. ' > 0', 'there are hints and a lens')
  local hints, lenses = e:get('vim.inspect(' .. HINTS .. ')'), e:get(LENSES)
  local t = transcript.new(claude, e.work)
  t:user('Begin.')
  t:assistant('Yes.', 0, 20000, 40)
  e:wait_for(('%s ~= %s'):format(LENSES, vim.inspect(lenses)), 'the lens counts for the model of the session')
  e:wait_for(('vim.inspect(%s) ~= %s'):format(HINTS, vim.inspect(hints)), 'the hints do too')
end

T['a code lens shows the cost of the file'] = function()
  editor.needs(10, 'code lenses')
  local e = open({ ['AGENTS.md'] = AGENTS })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for(
    [[(function()
      for _, lens in ipairs(vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = 0 } or 0)) do
        local command = (lens.lens or lens).command
        if command and command.title:find('%d') then return true end
      end
    end)()]],
    'there is a lens'
  )
end

T['running the code lens shows the parts of the file'] = function()
  editor.needs(10, 'code lenses')
  local e = open({ ['AGENTS.md'] = AGENTS })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for("#vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = 0 } or 0) > 0", 'there is a lens')
  e:lua('vim.lsp.codelens.run()')
  e:wait_for('#vim.api.nvim_list_wins() == 2', 'the window is there')
  local shown = table.concat(
    e:lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        end
      end]]),
    '\n'
  )
  eq(shown:find('Style', 1, true) ~= nil, true)
  eq(e:notices(), {})
end

T['hover explains'] = function()
  editor.needs(10, 'hover')
  local e = open({ ['AGENTS.md'] = AGENTS })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for('#' .. CLIENTS .. ' == 1', 'the client is attached')
  e:lua('vim.lsp.buf.hover()')
  e:wait_for('#vim.api.nvim_list_wins() == 2', 'the window is there')
end

T['a broken import is a diagnostic'] = function()
  editor.needs(10, 'diagnostics')
  local e = open({ ['CLAUDE.md'] = '# Rules\n\nSee @missing/file.md for more.\n' })
  e:lua("vim.cmd('edit CLAUDE.md')")
  e:wait_for('#vim.diagnostic.get(0) > 0', 'the import is missed')
  eq(e:get("vim.diagnostic.get(0)[1].message:find('missing/file.md', 1, true) ~= nil"), true)
end

T['settings of an agent are explained where they are written'] = function()
  editor.needs(10, 'diagnostics')
  local e = open({
    ['.claude/settings.json'] = '{\n  "é": "😀", "autoCompactWindow": 200\n}\n',
    ['.vscode/settings.json'] = '{"autoCompactWindow": 200}\n',
  })
  e:lua("vim.cmd('edit .claude/settings.json')")
  e:wait_for('#vim.diagnostic.get(0) == 1', 'the value is below the smallest one')
  local found = 'vim.diagnostic.get(0)[1]'
  eq(e:get(found .. '.message'), 'autoCompactWindow is below the smallest value; 100,000 is used.')
  eq(
    e:get(
      ('vim.api.nvim_buf_get_text(0, %s.lnum, %s.col, %s.end_lnum, %s.end_col, {})[1]'):format(
        found,
        found,
        found,
        found
      )
    ),
    '200'
  )
  e:lua("vim.fn.cursor(2, vim.fn.col({ 2, '$' }) - 1)")
  e:lua('vim.lsp.buf.hover()')
  e:wait_for('#vim.api.nvim_list_wins() == 2', 'the window is there')
  local shown = e:get([[(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
      end
    end
  end)()]])
  eq(shown:find('Claude Code compacts at 67,000 tokens.', 1, true) ~= nil, true)
  e:lua("vim.cmd('edit .vscode/settings.json')")
  eq(e:get('#' .. CLIENTS), 0)
end

T['only prompt files are attached'] = function()
  editor.needs(10, 'the client')
  local e = open({ ['README.md'] = '# Title\n', ['AGENTS.md'] = AGENTS, ['.cursorrules'] = 'Be brief.\n' })
  e:lua("vim.cmd('edit README.md')")
  vim.loop.sleep(300)
  eq(e:get('#' .. CLIENTS), 0)
  for _, name in ipairs({ 'AGENTS.md', '.cursorrules' }) do
    e:lua("vim.cmd('edit ' .. ...)", name)
    e:wait_for('#' .. CLIENTS .. ' == 1', name .. ' is attached')
    eq(e:get(CLIENTS .. '[1].name'), 'ctx')
  end
  -- One server for all of it.
  eq(e:get('#(vim.lsp.get_clients or vim.lsp.get_active_clients)()'), 1)
end

T['a file that is open before the server is attached when that is ready'] = function()
  editor.needs(10, 'the client')
  local e = open({ ['AGENTS.md'] = AGENTS }, { files = { 'AGENTS.md' } })
  e:wait_for('#' .. HINTS .. ' > 0', 'there are hints')
end

T['the options switch it off'] = function()
  editor.needs(10, 'inlay hints')
  local e = open({ ['AGENTS.md'] = AGENTS }, {
    init = "require('ctx').setup({ inline = { codelens = false, inlay_hints = false } })",
  })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for('#' .. CLIENTS .. ' == 1', 'the client is attached')
  eq(e:get('vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })'), false)
end

T['settings from vim.lsp.config are used'] = function()
  editor.needs(11, 'vim.lsp.config')
  local e = open({ ['AGENTS.md'] = AGENTS }, {
    init = "vim.lsp.config('ctx', { on_attach = function() _G.attached = true end })",
  })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for('_G.attached == true')
end

T['vim.lsp.enable in the configuration of the user is enough'] = function()
  editor.needs(11, 'vim.lsp.enable')
  local e = open({ ['AGENTS.md'] = AGENTS }, { init = "vim.lsp.enable('ctx')", files = { 'AGENTS.md' } })
  e:wait_for('#' .. HINTS .. ' > 0', 'there are hints')
  eq(e:get('#vim.lsp.get_clients()'), 1)
end

T['the attached buffers come back with the server'] = function()
  editor.needs(10, 'the client')
  local e = open({ ['AGENTS.md'] = AGENTS })
  e:lua("vim.cmd('edit AGENTS.md')")
  e:wait_for('#' .. HINTS .. ' > 0', 'there are hints')
  local before = e:get(CLIENTS .. '[1].id')
  e:lua("vim.cmd('Ctx restart')")
  e:wait_for(('#%s == 1 and %s[1].id ~= %d'):format(CLIENTS, CLIENTS, before), 'another server has the buffer')
  e:wait_ready()
  e:wait_for('#' .. CLIENTS .. ' == 1 and not ' .. CLIENTS .. '[1]:is_stopped()', 'it is attached again')
end

T['older editors show missing features once'] = function()
  if editor.version.minor >= 10 then
    return
  end
  local e = open({ ['AGENTS.md'] = AGENTS })
  e:lua("vim.cmd('edit AGENTS.md'); vim.cmd('edit! AGENTS.md')")
  eq(e:notices(), { 'ctx: the statusline works; hints in prompt files need Neovim 0.10 or later' })
  eq(e:get('#vim.lsp.get_active_clients()'), 1)
  eq(e:get('vim.lsp.buf_is_attached(0, vim.lsp.get_active_clients()[1].id)'), false)
end

return T
