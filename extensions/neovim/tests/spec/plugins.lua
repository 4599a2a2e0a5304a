-- Copyright The ctx-lsp authors. MIT licence.

-- The chat plugins as they are, against a provider on this machine, with the real server behind. CTX_TEST_PLUGINS is a
-- folder with clones of them and of what they need: codecompanion.nvim, avante.nvim, CopilotChat.nvim, plenary.nvim,
-- nui.nvim. Without it these cases are skipped, because no package of Debian has these plugins. The stand-ins of
-- adapters.lua announce events in the order that is seen here.
local MiniTest = require('mini.test')
local editor = require('editor')

local eq = MiniTest.expect.equality

local T = editor.set()

--- The folder of a plugin; without it the case is skipped.
---@param name string
local function clone(name)
  local path = (vim.env.CTX_TEST_PLUGINS or '') .. '/' .. name
  if not vim.env.CTX_TEST_PLUGINS or vim.fn.isdirectory(path) == 0 then
    MiniTest.skip('CTX_TEST_PLUGINS names no folder with ' .. name)
  end
  return path
end

--- The user's prompts and the model's responses.
local QUESTIONS = { 'What does it do?', ('Say it again, please, and more. '):rep(20), 'Is that all?', 'And now?' }
local ANSWERS = {
  'It builds the index first, and then it reads the files one after the other.',
  ('The second answer is longer, because it lists everything that was asked for. '):rep(12),
  'No.',
  'Nothing.',
}

---@param together? boolean the usage comes with the end of the stream, as GitHub sends it
local function answers(together)
  return vim.tbl_map(function(text)
    return { text = text, together = together }
  end, ANSWERS)
end

--- Starts a provider that gives these replies, one for each request; see fixtures/provider.lua.
---@param replies table[]
local function provider(replies)
  local here = { folder = editor.folder() }
  editor.write(here.folder .. '/replies', table.concat(vim.tbl_map(vim.json.encode, replies), '\n') .. '\n')
  local script = editor.root .. '/tests/fixtures/provider.lua'
  vim.fn.jobstart({ vim.v.progpath, '-u', 'NONE', '-l', script, here.folder, editor.server() })
  editor.wait(function()
    here.url = ('http://127.0.0.1:%d'):format(vim.fn.readfile(here.folder .. '/port')[1])
    return here.url
  end, 'the provider listens')
  return here
end

--- Waits for a request, and returns it.
---@return { body: table, usage: { prompt_tokens: integer, completion_tokens: integer, total_tokens: integer } }
local function wait_request(here, number)
  local lines
  editor.wait(function()
    if vim.fn.filereadable(here.folder .. '/failed') == 1 then
      error(table.concat(vim.fn.readfile(here.folder .. '/failed')))
    end
    lines = vim.fn.readfile(here.folder .. '/requests')
    return #lines >= number
  end, ('request %d comes'):format(number))
  return vim.json.decode(lines[number])
end

--- An editor with plugins, and a provider that gives the replies.
---@param plugins string[]
---@param init string
---@param replies table[]
local function open(plugins, init, replies)
  editor.needs(11, 'a chat plugin')
  local paths = vim.tbl_map(clone, plugins)
  local here = provider(replies)
  local work = editor.folder()
  editor.write(work .. '/AGENTS.md', '# Rules\n\nBe brief, and say so.\n')
  editor.write(work .. '/main.lua', 'print("hello")\n')
  local e = editor.open({
    env = vim.tbl_extend('force', editor.real(), { CTX_TEST_URL = here.url, CTX_TEST_KEY = 'none' }),
    rtp = paths,
    init = ([[
      _G.order = {}
      vim.api.nvim_create_autocmd('User', { callback = function(args)
        local event = args.match:match('^CodeCompanion(.+)') or args.match:match('^Avante(.+)')
        if event then table.insert(_G.order, event) end
      end })
      %s]]):format(init),
    cwd = work,
    files = { work .. '/main.lua' },
  })
  e:wait_ready()
  return e, here
end

---@return ctx.Reading
local function reading(e)
  return e:get("require('ctx').reading()")
end

--- Nothing was refused by the server, and nothing went wrong in the adapter.
local function expect_no_problem(e)
  local log = table.concat(e:get("require('ctx.log').lines()"), '\n')
  eq({ log:match('of session.*'), log:match('the adapter.*') }, {})
end

--- Tokens of the rows of a kind, or 0.
local function tokens_of(e, kind)
  local tokens = 0
  for _, row in ipairs(reading(e).breakdown) do
    tokens = tokens + (row.kind == kind and row.tokens or 0)
  end
  return tokens
end

--- The events that a plugin has announced, of those that are named.
local function order_of(e, named)
  return vim.tbl_filter(function(event)
    return vim.tbl_contains(named, event)
  end, e:get('_G.order'))
end

--- What is shown when an answer has come: the plugin's number, which holds the exchange, and nothing on top of it.
local function expect_measured(e, request, what)
  local total = request.usage.total_tokens
  editor.wait(function()
    local r = reading(e)
    return r.lastRequest and r.lastRequest['in'] == total and not r.pending
  end, what .. ' is measured')
  vim.loop.sleep(200)
  local r = reading(e)
  eq({ r.used, r.new.tokens, r.lastRequest.carry }, { total, 0, 0 })
end

--- Asks all questions. What is shown while a question stands in the input is what its request then has, but for the
--- frame of a message. Of the first request some plugins do not tell their own prompt: then `off` is nil.
---@param draft fun(text: string) puts a text into the plugin's input
---@param submit fun(text: string)
---@param off? integer by how many tokens the first request may be off
local function talk(e, here, draft, submit, off)
  for turn, question in ipairs(QUESTIONS) do
    local before = (reading(e) or {}).used
    draft(question)
    editor.wait(function()
      return reading(e).used > before
    end, ('what is typed is counted, question %d'):format(turn))
    vim.loop.sleep(300)
    local predicted = reading(e).used
    submit(question)
    local request = wait_request(here, turn)
    local prompt = request.usage.prompt_tokens
    local near = math.abs(predicted - prompt) <= (turn == 1 and (off or prompt) or 4)
    eq({ turn, near or { predicted, prompt } }, { turn, true })
    expect_measured(e, request, ('answer %d'):format(turn))
  end
  expect_no_problem(e)
end

--- An editor with a chat of CodeCompanion.
---@param replies table[]
local function codecompanion(replies)
  local e, here = open(
    { 'codecompanion.nvim', 'plenary.nvim' },
    [[
    require('codecompanion').setup({
      adapters = { http = { here = function()
        return require('codecompanion.adapters').extend('openai_compatible', {
          env = { url = vim.env.CTX_TEST_URL, api_key = 'CTX_TEST_KEY', chat_url = '/v1/chat/completions' },
          schema = { model = { default = 'gpt-4o' } },
        })
      end } },
      interactions = { chat = {
        adapter = 'here',
        tools = { read_file = { opts = { require_approval_before = false } } },
      } },
    })]],
    replies
  )
  e:lua("_G.chat = require('codecompanion').chat()")
  e:wait_for("(require('ctx').reading() or {}).label == 'codecompanion'", 'the chat is followed')
  return e,
    here,
    function(text)
      e:lua(
        [[
      vim.api.nvim_buf_set_lines(_G.chat.bufnr, -2, -1, false, { '', ... })
      vim.api.nvim_exec_autocmds('TextChanged', { buffer = _G.chat.bufnr })]],
        text
      )
    end,
    function()
      e:lua('_G.chat:submit()')
    end
end

local EXCHANGE = { 'RequestStarted', 'ChatSubmitted', 'RequestStreaming', 'RequestFinished' }

T['codecompanion: the next request is shown'] = function()
  local e, here, draft, submit = codecompanion(answers())
  talk(e, here, draft, submit, 20)
  local order = { 'ChatOpened', 'ChatCreated' }
  for _ = 1, #QUESTIONS do
    vim.list_extend(order, EXCHANGE)
    order[#order + 1] = 'ChatDone'
  end
  eq(order_of(e, order), order)
end

T['codecompanion: tools run between two requests'] = function()
  local read = {
    name = 'read_file',
    arguments = '{"filepath":"main.lua","start_line_number_base_zero":0,"end_line_number_base_zero":-1}',
  }
  local e, here, draft, submit = codecompanion({
    { text = 'I look.', calls = { { id = 'c1', type = 'function', ['function'] = read } } },
    { text = 'It prints a greeting.' },
  })
  draft('@{read_file} What is in main.lua?')
  submit()
  local second = wait_request(here, 2)
  expect_measured(e, second, 'the second answer')
  local order = { 'ToolsStarted', 'ToolsFinished', 'ChatDone' }
  vim.list_extend(order, EXCHANGE)
  eq(order_of(e, order), {
    'RequestStarted',
    'ChatSubmitted',
    'RequestStreaming',
    'RequestFinished',
    'ToolsStarted',
    'ToolsFinished',
    'RequestStarted',
    'ChatSubmitted',
    'RequestStreaming',
    'RequestFinished',
    'ChatDone',
  })
  eq(tokens_of(e, 'toolCalls') > 0 and tokens_of(e, 'toolResults') > 0, true)
  expect_no_problem(e)
end

T['CopilotChat: the next request is shown'] = function()
  local e, here = open(
    { 'CopilotChat.nvim', 'plenary.nvim' },
    [[
    local copilot = require('CopilotChat.config.providers').copilot
    require('CopilotChat').setup({
      model = 'gpt-4o',
      resources = {},
      providers = {
        copilot = { disabled = true },
        github_models = { disabled = true },
        here = {
          get_url = function() return vim.env.CTX_TEST_URL .. '/v1/chat/completions' end,
          get_headers = function() return { ['Content-Type'] = 'application/json' } end,
          get_models = function()
            return { { id = 'gpt-4o', name = 'GPT-4o', tokenizer = 'o200k_base', max_input_tokens = 128000,
              max_output_tokens = 16384, streaming = true, tools = false } }
          end,
          prepare_input = copilot.prepare_input,
          prepare_output = copilot.prepare_output,
        },
      },
    })]],
    answers(true)
  )
  e:lua("require('CopilotChat').open()")
  e:wait_for("(require('ctx').reading() or {}).label == 'CopilotChat'", 'the chat is followed')
  talk(e, here, function(text)
    e:lua(
      [[
      local chat = require('CopilotChat').chat
      chat:add_message({ role = 'user', content = ... }, true)]],
      text
    )
  end, function(text)
    e:lua("require('CopilotChat').ask(...)", text)
  end, 20)
end

T['avante: the next request is shown'] = function()
  local e, here = open(
    { 'avante.nvim', 'plenary.nvim', 'nui.nvim' },
    [[
    -- The part that renders the templates of prompts is compiled; here a template is its text.
    package.preload['avante_templates'] = function()
      local root
      return {
        initialize = function(folder) root = folder end,
        render = function(name)
          local text = table.concat(vim.fn.readfile(root .. '/' .. name), '\n')
          return (text:gsub('{%%.-%%}', ''):gsub('{{.-}}', ''))
        end,
      }
    end
    require('avante_lib').load()
    require('avante').setup({
      provider = 'here',
      mode = 'legacy',
      providers = { here = {
        __inherited_from = 'openai',
        endpoint = vim.env.CTX_TEST_URL .. '/v1',
        model = 'gpt-4o',
        api_key_name = 'CTX_TEST_KEY',
        disable_tools = true,
      } },
      behaviour = { auto_set_keymaps = false, auto_suggestions = false },
      hints = { enabled = false },
      selection = { enabled = false },
    })]],
    answers()
  )
  e:lua("require('avante.api').ask()")
  e:wait_for("(require('ctx').reading() or {}).label == 'avante'", 'the sidebar is followed')
  talk(e, here, function(text)
    e:lua(
      [[
      local buffer = require('avante').get().containers.input.bufnr
      vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { ... })
      vim.api.nvim_exec_autocmds('TextChanged', { buffer = buffer })]],
      text
    )
  end, function(text)
    e:lua("require('avante').get():handle_submit(...)", text)
  end, 30) -- the plugin answers "Ok, I understand." to itself between the files and the question
  local order = {}
  for _ = 1, #QUESTIONS do
    order[#order + 1] = 'ViewBufferUpdated'
  end
  eq(order_of(e, order), order)
end

return T
