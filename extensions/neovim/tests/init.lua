-- Copyright The ctx-lsp authors. MIT licence.

-- The configuration of an editor under test: the plugin as a plugin manager would add it, and nothing else.
local root = vim.env.CTX_TEST_ROOT
vim.opt.runtimepath:prepend(root)
for _, extra in ipairs(vim.split(vim.env.CTX_TEST_RTP or '', ',', { plain = true, trimempty = true })) do
  vim.opt.runtimepath:append(extra)
end
if vim.env.CTX_TEST_PACK then
  vim.opt.packpath:prepend(vim.env.CTX_TEST_PACK)
end
-- A server whose clock is ahead has an editor whose clock is.
local ahead = (tonumber(vim.env.CTX_TEST_DAYS_AHEAD) or 0) * 86400
if ahead ~= 0 then
  local time, gettimeofday = os.time, vim.loop.gettimeofday
  -- luacheck: push ignore 122
  os.time = function(at)
    return at and time(at) or time() + ahead
  end
  vim.loop.gettimeofday = function()
    local seconds, micros = gettimeofday()
    return seconds + ahead, micros
  end
  -- luacheck: pop
end
vim.o.swapfile = false
vim.o.shadafile = 'NONE'
-- Messages wait for no key and are kept for the test.
vim.o.shortmess = vim.o.shortmess .. 'I'
_G.notices = {}
_G.notify_itself = vim.notify
vim.notify = function(message, level)
  table.insert(_G.notices, { message = message, level = level })
end
_G.events = {}
vim.api.nvim_create_autocmd('User', {
  pattern = { 'CtxUpdate', 'CtxLevel' },
  callback = function(args)
    table.insert(_G.events, { name = args.match, data = args.data })
  end,
})
if vim.env.CTX_TEST_INIT then
  dofile(vim.env.CTX_TEST_INIT)
end
