-- Copyright The ctx-lsp authors. MIT licence.

-- Each chat plugin's adapter, against a stand-in that emits that plugin's events, with the real server behind.
local editor = require('editor')
local eq = require('mini.test').expect.equality

local T = editor.set()

local function open(plugin, init)
  editor.needs(8, 'events with data')
  local e = editor.open({
    env = editor.real(),
    rtp = { editor.root .. '/tests/fixtures/plugins/' .. plugin },
    init = init,
  })
  e:wait_ready()
  return e
end

--- Returns the tokens of the shown rows of a kind, or 0.
local function row(e, kind)
  return e:lua(
    [[
    for _, row in ipairs((require('ctx').reading() or {}).breakdown or {}) do
      if row.kind == ... then return row.tokens end
    end
    return 0]],
    kind
  )
end

--- Nothing was refused by the server, and nothing went wrong in the adapter.
local function expect_no_problem(e)
  local log = table.concat(e:get("require('ctx.log').lines()"), '\n')
  eq(log:find('of session', 1, true), nil)
  eq(log:find('the adapter', 1, true), nil)
  eq(e:notices(), {})
end

local function wait_used(e, used)
  e:wait_for(("(require('ctx').reading() or {}).used == %d"):format(used), used .. ' tokens are shown')
end

T['codecompanion: a chat from its first message to its end'] = function()
  local e = open('codecompanion')
  eq(e:get("package.loaded['ctx.adapters.codecompanion'] == nil"), true)
  e:lua("_G.cc = require('codecompanion'); _G.b = _G.cc.test_open()")
  e:wait_for("(require('ctx').reading() or {}).model == 'claude-sonnet-4-5'", 'the chat is shown in its buffer')
  eq(e:get("require('ctx').reading().label"), 'codecompanion')
  eq(e:get("require('ctx').reading().limit"), 200000)
  -- The plugin's own options say when it compacts.
  eq(e:get("require('ctx').reading().compaction.threshold"), 170000)
  editor.wait(function()
    return row(e, 'system') > 0
  end, 'the system prompt is counted')
  local before = e:get("require('ctx').reading().used")
  e:lua("_G.cc.test_type(_G.b, ('Please explain this. '):rep(20))")
  e:wait_for(("require('ctx').reading().used > %d"):format(before + 50), 'what is typed is counted')
  e:lua([[_G.cc.test_ask(_G.b, 'Explain.', 'It adds.', 9000, {
    { id = 'c1', type = 'function', ['function'] = { name = 'read_file', arguments = '{"path":"a.go"}' } },
  })]])
  e:wait_for("(require('ctx').reading().lastRequest or {})['in'] == 9000", 'the request is measured')
  -- The tool's output came after the request: it is on top of what was measured, less the thinking of the turn that
  -- ended.
  e:wait_for("require('ctx').reading().leaving.tokens > 0", 'the turn has ended')
  eq(e:get("require('ctx').reading().new.tokens > 0"), true)
  eq(
    e:get(
      "require('ctx').reading().used == 9000 - require('ctx').reading().leaving.tokens + require('ctx').reading().new.tokens"
    ),
    true
  )
  eq(row(e, 'toolResults') > 0 and row(e, 'toolCalls') > 0, true)
  e:lua("_G.cc.test_model(_G.b, 'claude-opus-4-5')")
  e:wait_for("require('ctx').reading().model == 'claude-opus-4-5'")
  e:lua("_G.cc.test_compact(_G.b, 'In short: it adds.')")
  e:wait_for("require('ctx').reading().compaction.count == 1", 'the compaction is known')
  e:wait_for("require('ctx').reading().used < 9000")
  expect_no_problem(e)
  e:lua('_G.cc.test_close(_G.b)')
  e:wait_for("require('ctx').reading() == nil", 'it is gone')
  vim.loop.sleep(300)
  eq(e:get("require('ctx').reading()"), vim.NIL)
end

-- The plugin has its number before the reply is among the messages. The number holds the question and the reply: an
-- exchange is counted once.
T['codecompanion: an exchange is counted once'] = function()
  local e = open('codecompanion')
  e:lua("_G.cc = require('codecompanion'); _G.b = _G.cc.test_open()")
  e:wait_for("(require('ctx').reading() or {}).model == 'claude-sonnet-4-5'", 'the chat is shown in its buffer')
  for turn, tokens in ipairs({ 9000, 9700 }) do
    e:lua(
      [[local text, tokens = ...
      _G.cc.test_ask(_G.b, text, text, tokens)]],
      ('Please explain this at length. '):rep(100),
      tokens
    )
    e:wait_for(("(require('ctx').reading().lastRequest or {})['in'] == %d"):format(tokens), 'it is measured')
    e:wait_for(
      "require('ctx').reading().activity ~= 'working' and not require('ctx').reading().pending",
      'turn ' .. turn
    )
    eq({ e:get("require('ctx').reading().new.tokens"), e:get("require('ctx').reading().lastRequest.carry") }, { 0, 0 })
  end
  -- The plugin's list below the header is not a draft.
  e:lua("_G.cc.test_type(_G.b, '> Context:\\n> - <rules>AGENTS.md</rules>\\n')")
  vim.loop.sleep(300)
  eq(e:get("require('ctx').reading().new.tokens"), 0)
  expect_no_problem(e)
end

T['codecompanion: chats that were there before'] = function()
  local e = open(
    'codecompanion',
    "require('ctx').setup({ adapters = { codecompanion = true } }); _G.cc = require('codecompanion'); _G.b = _G.cc.test_open()"
  )
  e:wait_for("(require('ctx').reading() or {}).model == 'claude-sonnet-4-5'")
  expect_no_problem(e)
end

T['codecompanion: it can be switched off'] = function()
  local e = open('codecompanion', "require('ctx').setup({ adapters = { codecompanion = false } })")
  e:lua("require('codecompanion').test_open()")
  vim.loop.sleep(200)
  eq(e:get("require('ctx').reading()"), vim.NIL)
  eq(e:get("package.loaded['ctx.adapters.codecompanion'] == nil"), true)
end

T['codecompanion: a plugin that is not as it was breaks nothing'] = function()
  local e = open('codecompanion')
  e:lua([[
    local cc = require('codecompanion')
    _G.b = cc.test_open()
    cc.buf_get_chat(_G.b).messages = 7
    vim.api.nvim_exec_autocmds('User', { pattern = 'CodeCompanionChatDone', data = { bufnr = _G.b } })
    vim.api.nvim_exec_autocmds('User', { pattern = 'CodeCompanionChatDone', data = 'what' })
    cc.buf_get_chat = nil
    vim.api.nvim_exec_autocmds('User', { pattern = 'CodeCompanionChatDone', data = { bufnr = _G.b } })]])
  eq(e:get("vim.api.nvim_exec('messages', true)"), '')
  eq(e:notices(), {})
  local log = table.concat(e:get("require('ctx.log').lines()"), '\n')
  eq(log:find('the adapter codecompanion', 1, true) ~= nil, true)
end

T['avante: the sidebar, its memory, another chat'] = function()
  local e = open('avante')
  e:lua([[
    _G.av = require('avante')
    _G.result, _G.input = _G.av.test_open()]])
  e:wait_for("(require('ctx').reading() or {}).label == 'avante'", 'the sidebar is followed once it is open')
  -- What the plugin sends beside the messages is there before the first request: 100 and 50 times three or four words.
  e:wait_for("(require('ctx').reading() or {}).used > 400", 'the instructions are counted')
  eq({ row(e, 'system') > 250, row(e, 'tools') > 5 }, { true, true })
  local before = e:get("require('ctx').reading().used")
  e:lua([[
    vim.api.nvim_buf_set_lines(_G.input, 0, -1, false, { ('Please explain this. '):rep(20) })
    vim.api.nvim_exec_autocmds('TextChangedI', { buffer = _G.input })]])
  e:wait_for(("require('ctx').reading().used > %d"):format(before + 50), 'what is typed is counted')
  e:lua([[
    _G.av.test_ask('Explain.', {
      { type = 'thinking', thinking = 'Let me think.', signature = 's' },
      { type = 'text', text = 'It adds.' },
      { type = 'tool_use', id = 't1', name = 'view', input = { path = 'a.go' } },
    }, { prompt_tokens = 11000, completion_tokens = 500 })]])
  e:wait_for("(require('ctx').reading().lastRequest or {})['in'] == 11500", 'the request is measured')
  e:wait_for("require('ctx').reading().leaving.tokens > 0", 'the turn has ended, and its thinking leaves')
  eq(e:get("require('ctx').reading().used == 11500 - require('ctx').reading().leaving.tokens"), true)
  eq(e:get("require('ctx').reading().label"), 'avante')
  eq(e:get("require('ctx').reading().model"), 'claude-sonnet-4-5')
  eq(e:get('vim.b[_G.result].ctx_status == vim.b[_G.input].ctx_status and #vim.b[_G.input].ctx_status > 0'), true)
  e:lua("_G.av.test_tool_result(('A line of the file. '):rep(100))")
  e:wait_for("require('ctx').reading().used > 11700")
  eq(row(e, 'toolResults') > 200, true)
  e:lua("_G.av.test_summarise('In short: it adds.')")
  e:wait_for("require('ctx').reading().compaction.count == 1", 'the compaction is known')
  eq(e:get("require('ctx').reading().used < 11500"), true)
  e:lua('_G.av.test_new()')
  e:wait_for("require('ctx').reading().compaction.count == 0", 'another chat is another session')
  expect_no_problem(e)
end

T['CopilotChat: typing, an answer in pieces, a reset'] = function()
  local e = open('copilotchat')
  e:lua("_G.cp = require('CopilotChat'); _G.cp.test_open()")
  e:wait_for("(require('ctx').reading() or {}).model == 'gpt-5-mini'", 'the chat is shown in its buffer')
  -- The plugin's own instructions exist before the first request, and follow the typed text.
  e:wait_for("(require('ctx').reading() or {}).used > 250", 'the instructions are counted')
  local usual = row(e, 'system')
  e:lua("_G.cp.test_type('/Review ' .. ('Please explain this. '):rep(20))")
  e:wait_for(("require('ctx').reading().used > %d"):format(usual + 50), 'what is typed is counted')
  editor.wait(function()
    return row(e, 'system') ~= usual
  end, 'other instructions were chosen')
  e:lua("_G.cp.test_answer({ 'It ', 'adds.' }, 7000, 128000)")
  wait_used(e, 7000)
  eq(e:get("require('ctx').reading().limit"), 128000)
  eq(row(e, 'user') > 0 and row(e, 'assistant') > 0, true)
  e:lua("_G.cp.test_type('And that?')")
  e:wait_for("require('ctx').reading().used > 7000")
  e:lua('_G.cp.test_reset()')
  e:wait_for("require('ctx').reading().used < 7000", 'the conversation was cleared')
  expect_no_problem(e)
end

return T
