-- A status bar in Neovim's Lua: `make install`, then `nvim -l examples/daemon.lua`.
local client =
  assert(vim.lsp.get_client_by_id(assert(vim.lsp.start({ name = 'ctx-lsp', cmd = { 'ctx-lsp', 'serve' } }))))
assert(
  vim.wait(20000, function()
    return client.initialized == true
  end),
  'ctx-lsp does not answer'
)

local function call(method, params)
  local answer = assert(vim.lsp.buf_request_sync(0, method, params, 20000))[client.id]
  return answer.result or error(answer.error.message)
end

call('ctx/session/open', { id = 'chat', model = 'claude-sonnet-4-5', rule = { percent = 80 } })
local reading
for _, tokens in ipairs({ 129500, 132000, 137000, 141000 }) do
  call('ctx/session/update', { id = 'chat', append = { { kind = 'user', text = 'Why does the build fail?' } } })
  reading = call('ctx/session/usage', { id = 'chat', usage = { input_tokens = tokens, output_tokens = 400 } })
end
local lines = { bar = '{number} · {free} free[ · compacts at {threshold}] · {hint}' }
io.write(call('ctx/lines', { reading = reading, lines = lines }).lines.bar, '\n')
-- Prints: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
