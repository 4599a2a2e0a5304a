-- Copyright The ctx-lsp authors. MIT licence.

-- The Lua interface for chat plugins, against the stand-in.
local editor = require('editor')
local eq = require('mini.test').expect.equality

local T = editor.set()

--- Returns the requests of the plugin with a method.
local function calls(e, method)
  return vim.tbl_filter(function(call)
    return call.method == method
  end, e:ask('test/calls').calls)
end

local function start(opts)
  local e = editor.open(vim.tbl_extend('force', { bin = editor.standin() }, opts or {}))
  e:wait_ready()
  return e
end

T['a session reports events and gets readings'] = function()
  local e = start()
  e:lua([[
    _G.got = {}
    _G.s = require('ctx').open({ id = 'mine', model = 'gpt-5.5', provider = 'openai', buffer = 0 })
    _G.s:on_reading(function(reading) table.insert(_G.got, reading.used) end)
    _G.s:append({ kind = 'user', text = 'four' })
    _G.s:append({ { kind = 'assistant', text = 'ab' }, { kind = 'toolResults', text = 'c', name = 'read' } })
    _G.s:usage({ prompt_tokens = 1234, completion_tokens = 5 }, { request = 'r1', through = 3 })
    _G.s:error({ message = 'too long' }, { status = 400 })
    _G.s:turn('end')
    _G.s:compacted({ trigger = 'manual', kept = 1 })]])
  e:wait_for('(_G.s:reading() or {}).used == 1234')
  eq(e:get('_G.got')[1], 0)
  eq(e:get('_G.got')[2], 4)
  e:wait_for("vim.b.ctx_status == 'ctx 1234'")
  local asked = e:ask('test/calls').calls
  local methods = {}
  for _, call in ipairs(asked) do
    if call.params and call.params.id == 'mine' and call.method ~= 'ctx/session/save' then
      methods[#methods + 1] = call.method:gsub('ctx/session/', '')
      eq(type(call.params.at), 'number')
    end
  end
  eq(methods, { 'open', 'update', 'update', 'usage', 'error', 'update', 'compacted' })
  local usage = vim.tbl_filter(function(call)
    return call.method == 'ctx/session/usage'
  end, asked)[1].params
  eq({ usage.provider, usage.request, usage.through, usage.usage.prompt_tokens }, { 'openai', 'r1', 3, 1234 })
  local opened = vim.tbl_filter(function(call)
    return call.method == 'ctx/session/open'
  end, asked)[1].params
  eq({ opened.model, opened.workspace, opened.buffer }, { 'gpt-5.5', e.work, nil })
  e:lua('_G.s:close(); _G.s:append({ kind = "user", text = "x" })')
  eq(#calls(e, 'ctx/session/close'), 1)
  eq(e:get("vim.b.ctx_status or ''"), '')
  -- An answer that was on its way is not taken for a session that is there.
  e:lua("vim.cmd('new')")
  vim.loop.sleep(200)
  eq(e:get("require('ctx').status()"), '')
end

T['typing is sent once it pauses'] = function()
  local e = start()
  e:lua("_G.s = require('ctx').open({ id = 'mine' })")
  e:lua("for i = 1, 100 do _G.s:draft(('x'):rep(i)) end")
  vim.loop.sleep(400)
  local drafts = calls(e, 'ctx/session/update')
  eq(#drafts, 1)
  eq(drafts[1].params.draft, ('x'):rep(100))
  e:lua('_G.s:draft_done()')
  drafts = calls(e, 'ctx/session/update')
  eq(#drafts, 1)
  eq(drafts[1].params.draft, nil)
end

T['a mirror sends only differences'] = function()
  local e = start()
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine' })
    _G.items = {}
    for i = 1, 5 do _G.items[i] = { kind = 'user', text = 'item ' .. i } end
    _G.s:mirror(_G.items)
    _G.s:mirror(_G.items)
    _G.items[6] = { kind = 'assistant', text = 'six' }
    _G.s:mirror(_G.items)
    _G.items = { _G.items[1], _G.items[2], { kind = 'user', text = 'other' } }
    _G.s:mirror(_G.items)
    _G.s:mirror({ { kind = 'summary', text = 'all of it' } }, { compacted = true })]])
  local changes = {}
  for _, call in ipairs(e:ask('test/calls').calls) do
    if call.method == 'ctx/session/update' then
      changes[#changes + 1] = call.params.removeFrom and ('-' .. call.params.removeFrom) or ('+' .. #call.params.append)
    elseif call.method == 'ctx/session/compacted' then
      changes[#changes + 1] = 'compacted ' .. call.params.kept
    end
  end
  eq(changes, { '+5', '+1', '-2', '+1', 'compacted 0', '+1' })
end

T['long conversations go out in pieces'] = function()
  local e = start()
  e:lua([[
    local items = {}
    for i = 1, 30 do items[i] = { kind = 'user', text = ('x'):rep(100000) } end
    require('ctx').open({ id = 'mine' }):append(items)]])
  local updates = calls(e, 'ctx/session/update')
  local total = 0
  for _, call in ipairs(updates) do
    total = total + #call.params.append
    eq(#call.params.append <= 5, true)
  end
  eq(total, 30)
end

T['opened before the server it is opened when that is ready'] = function()
  local e = editor.open({ bin = editor.standin(), start = false })
  e:lua([[
    _G.s = require('ctx').open({ id = 'early' })
    _G.s:append({ kind = 'user', text = 'four' })]])
  e:wait_ready()
  e:wait_for('(_G.s:reading() or {}).used == 4')
  local methods = {}
  for _, call in ipairs(e:ask('test/calls').calls) do
    if call.params and call.params.id == 'early' and call.method ~= 'ctx/session/save' then
      methods[#methods + 1] = call.method
    end
  end
  eq(methods, { 'ctx/session/open', 'ctx/session/update' })
end

T['outlives its server'] = function()
  local e = start()
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine', buffer = 0 })
    _G.s:append({ kind = 'user', text = 'four' })]])
  e:wait_for('_G.s.ledger ~= nil', 'the ledger is saved')
  e:lua("_G.s:append({ kind = 'user', text = 'more' })")
  e:lua("require('ctx').request('test/exit', { code = 7 })")
  e:wait_for("require('ctx.client').server().restarts == 1")
  e:lua("_G.s:append({ kind = 'user', text = 'yet' })")
  e:wait_ready()
  e:wait_for('(_G.s:reading() or {}).used == 11', 'nothing is lost')
  local restored = calls(e, 'ctx/session/restore')
  eq(#restored, 1)
  eq(restored[1].params.ledger.used, 4)
end

T['a ledger that the next server refuses costs what it contained'] = function()
  local e = start()
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine', model = 'first' })
    _G.s:append({ kind = 'user', text = 'four' })]])
  e:wait_for('_G.s.ledger ~= nil', 'the ledger is saved')
  e:lua('_G.s.ledger = { damaged = true }')
  e:lua("_G.s:append({ kind = 'user', text = 'more!' }); _G.s.save_soon = function() end")
  e:lua("require('ctx').request('test/exit', { code = 7 })")
  e:wait_for("require('ctx.client').server().restarts == 1")
  e:wait_ready()
  e:wait_for('(_G.s:reading() or {}).used == 5')
  local opened = calls(e, 'ctx/session/open')
  eq({ #opened, opened[1].params.setAside, opened[1].params.model }, { 1, true, 'first' })
  eq(e:get('_G.s.problem == nil'), true)
end

--- Returns the calls of the session that the fake server received, without those that save its ledger, as short words.
local function received(e, id)
  local words = {}
  for _, call in ipairs(e:ask('test/calls').calls) do
    local method = call.method:match('^ctx/session/(.*)')
    if method and method ~= 'save' and call.params.id == id then
      local items = call.params.append or {}
      words[#words + 1] = items[1] and items[1].text or call.params.model or method
    end
  end
  return words
end

local function crash(e)
  local restarts = e:get("require('ctx.client').server().restarts")
  e:lua("require('ctx').request('test/exit', { code = 7 })")
  e:wait_for(("require('ctx.client').server().restarts == %d"):format(restarts + 1))
  e:wait_ready()
end

local too_large = { code = 1003, message = 'The text is too large.', data = { kind = 'limit_exceeded' } }

T['refused calls are not sent to the next server'] = function()
  local e = start()
  -- Without a ledger all calls stay in the journal. A save that was scheduled before the crash may run after it, so
  -- none is ever scheduled.
  e:lua([[
    local other = require('ctx').open({ id = 'other' })
    getmetatable(other).save_soon = function() end
    other:close()
    _G.s = require('ctx').open({ id = 'mine', model = 'first' })
    _G.s:append({ kind = 'user', text = 'four' })]])
  e:wait_for('(_G.s:reading() or {}).used == 4')
  e:ask('test/refuse', { method = 'ctx/session/update', error = too_large })
  e:lua([[
    _G.s:append({ kind = 'user', text = 'refused' })
    _G.s:model('unknown')]])
  e:wait_for("_G.s.problem == 'The text is too large.'")
  e:wait_for('#_G.s.journal == 1')
  e:ask('test/refuse', { method = 'ctx/session/update' })
  e:lua("_G.s:append({ kind = 'user', text = 'seven 7' })")
  e:wait_for('(_G.s:reading() or {}).used == 11')
  crash(e)
  e:wait_for('_G.s.attempt == 2 and not _G.s.opening and _G.s.problem == nil')
  eq(received(e, 'mine'), { 'first', 'four', 'seven 7' })
  eq(e:get('#_G.s.journal'), 2)
  eq(e:get('_G.s.kept'), e:get('_G.s.journal[1].size + _G.s.journal[2].size'))
end

T['a ledger saved in the meantime does not restore refused calls'] = function()
  local e = start()
  e:ask('test/refuse', { method = 'ctx/session/update', error = too_large })
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine' })
    _G.s:append({ kind = 'user', text = 'refused' })
    _G.s:turn('start')
    _G.s:usage({ prompt_tokens = 1234 })]])
  e:wait_for('_G.s.ledger ~= nil')
  eq(e:get('{ #_G.s.journal, _G.s.kept, _G.s.ledger.used }'), { 0, 0, 1234 })
end

T['an earlier state of the session is closed before it is sent again'] = function()
  local e = start()
  e:ask('test/answer', { method = 'ctx/session/save', result = { ledger = false } })
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine', model = 'first' })
    _G.s:append({ kind = 'user', text = 'four' })]])
  e:wait_for('(_G.s:reading() or {}).used == 4 and _G.s.opened')
  received(e, 'mine')
  -- The server is the same one, as if a shared session had been left in it.
  e:lua('_G.s:send_open(); _G.s:append({ kind = "user", text = "more" })')
  e:wait_for('(_G.s:reading() or {}).used == 8')
  eq(received(e, 'mine'), { 'first', 'close', 'first', 'four', 'more' })
end

T['a new server gets parents before their sub-agents'] = function()
  local e = start()
  e:lua([[
    _G.all = {}
    for i = 1, 20 do
      _G.all[i] = require('ctx').open({ id = 'agent' .. (i * 7 % 20), parent = i > 1 and _G.all[i - 1].id or nil })
    end]])
  e:wait_for('_G.all[20].opened')
  crash(e)
  e:wait_for('_G.all[20].attempt == 2 and not _G.all[20].opening')
  local opened = vim.tbl_map(function(call)
    return call.params.id
  end, calls(e, 'ctx/session/open'))
  local expected = {}
  for i = 1, 20 do
    expected[i] = 'agent' .. (i * 7 % 20)
  end
  eq(opened, expected)
end

T['a session without a server does not fill the memory'] = function()
  local e = editor.open({ env = { CTX_LSP_PATH = '/nowhere/ctx-lsp' } })
  e:wait_for("require('ctx.client').server().state == 'failed'")
  e:lua([[
    _G.s = require('ctx').open({ id = 'mine' })
    for i = 1, 100 do _G.s:append({ kind = 'user', text = ('x'):rep(100000) }) end]])
  eq(e:get('_G.s.kept <= 4 * 1024 * 1024'), true)
  eq(e:notices(), { 'ctx: the program ctx-lsp was not found; see :checkhealth ctx' })
end

return T
