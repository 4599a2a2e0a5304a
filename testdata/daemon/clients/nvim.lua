-- Copyright The ctx-lsp authors. MIT licence.

-- Neovim's own client. It works with every version that has vim.lsp.start_client.
local function check(name, ok, why)
  io.stdout:write(
    '\n' .. (ok and 'ok ' or 'not ok ') .. 'neovim: ' .. name .. (ok and '' or ': ' .. tostring(why)) .. '\n'
  )
end

vim.cmd('edit CLAUDE.md')
vim.bo.filetype = 'markdown'
local readings = {}
local id = vim.lsp.start_client({
  name = 'ctx',
  cmd = { os.getenv('CTX_LSP'), 'serve' },
  root_dir = vim.fn.getcwd(),
  handlers = {
    ['ctx/reading'] = function(_, reading)
      table.insert(readings, reading)
    end,
  },
})
vim.lsp.buf_attach_client(0, id)
local client = vim.lsp.get_client_by_id(id)

local function problems()
  return vim.diagnostic.get(0)
end
vim.wait(20000, function()
  return #problems() > 0
end, 20)
local d = problems()[1] or {}
check('diagnostics', d.code == 'import-missing' and d.lnum == 2, vim.inspect(problems()))
-- Neovim turns the server's characters into bytes of the line.
local line = vim.api.nvim_buf_get_lines(0, 2, 3, false)[1]
check('positions behind wide characters', line:sub((d.col or 0) + 1, d.end_col or 0) == '@docs/gone.md', vim.inspect(d))

local function request(method, params)
  local results = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  return (results[id] or {}).result, results
end
local document = vim.lsp.util.make_text_document_params()
local lens, all = request('textDocument/codeLens', { textDocument = document })
check('code lens', lens and lens[1] and lens[1].command.title:find('1 import', 1, true), vim.inspect(all))
vim.api.nvim_win_set_cursor(0, { 1, 0 })
local hover = request('textDocument/hover', { textDocument = document, position = { line = 0, character = 0 } })
check('hover', hover and hover.contents.value:find('In every request', 1, true), vim.inspect(hover))
local hints = request(
  'textDocument/inlayHint',
  { textDocument = document, range = { start = { line = 0, character = 0 }, ['end'] = { line = 9, character = 0 } } }
)
check(
  'inlay hints, that of an import behind its line',
  hints
    and #hints == 3
    and hints[2].label:sub(1, 1) == '+'
    and hints[2].position.line == 2
    and hints[3].position.line == 4,
  (vim.inspect(hints):gsub('\n%s*', ' '))
)
local links = request('textDocument/documentLink', { textDocument = document })
check('document links', links and #links == 1 and links[1].target:find('docs/style.md', 1, true), vim.inspect(links))

-- Edits in the middle of the line with wide characters, and undo.
vim.api.nvim_buf_set_text(0, 2, d.col, 2, d.end_col, { '@docs/style.md 😀' })
vim.wait(20000, function()
  return #problems() == 1 and problems()[1].code == 'import-repeated'
end, 20)
check('incremental edits', #problems() == 1 and problems()[1].code == 'import-repeated', vim.inspect(problems()))
vim.api.nvim_buf_set_lines(0, 0, 3, false, { '# Short' })
vim.wait(20000, function()
  return #problems() == 0
end, 20)
check('deleted lines', #problems() == 0, vim.inspect(problems()))

-- A command's answer is opened as a document where this Neovim opens documents, and is a message in older ones.
local opens = vim.tbl_get(vim.lsp.protocol.make_client_capabilities(), 'window', 'showDocument', 'support')
local said
if not opens then
  rawset(vim.lsp.handlers, 'window/showMessage', function(_, result)
    said = result.message
  end)
end
request('workspace/executeCommand', { command = 'ctx.document.breakdown', arguments = {} })
vim.wait(20000, function()
  if opens then
    said = vim.api.nvim_buf_get_name(0):find('CLAUDE.md in tokens.md', 1, true)
      and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' ')
  end
  return said
end, 20)
check('a command shows its answer', said and said:find('In every request', 1, true), vim.inspect({ opens, said }))

local opened, sessions
client.request('ctx/session/open', { id = 'chat', model = 'gpt-5.5' }, function(_, result)
  opened = result
end)
client.request('ctx/sessions', vim.empty_dict(), function(_, result)
  sessions = result
end)
vim.wait(20000, function()
  return opened and sessions and #readings > 0
end, 20)
check(
  'ctx methods and notifications',
  opened and opened.session == 'chat' and readings[1] and readings[1].session == 'chat',
  vim.inspect({ opened, readings })
)

client.stop()
vim.wait(5000, function()
  return client.is_stopped()
end, 20)
check('shutdown', client.is_stopped(), 'it still runs')
vim.cmd('qall!')
