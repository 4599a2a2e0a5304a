-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx sees`: signs that show what the next request of the session holds of the visible files, line by line. Nothing
--- is requested until the user asks for it.
local api = vim.api

local M = {}

local space = api.nvim_create_namespace('ctx_sight')

--- The sign and the highlight group of each state; the signs differ without their colors too. Lines never sent have
--- none.
---@type table<string, { [1]: string, [2]: string }>
local SIGNS = {
  verbatim = { '┃', 'CtxSightVerbatim' },
  own = { '║', 'CtxSightOwn' },
  stale = { '~', 'CtxSightStale' },
  summarized = { '┆', 'CtxSightSummarized' },
  gone = { '×', 'CtxSightGone' },
  unknown = { '?', 'CtxSightUnknown' },
}

local LINKS = {
  CtxSightVerbatim = 'CtxOk',
  CtxSightOwn = 'CtxNumber',
  CtxSightStale = 'CtxSoon',
  CtxSightSummarized = 'CtxLine',
  CtxSightGone = 'CtxNow',
  CtxSightUnknown = 'CtxMuted',
}

--- Files with more lines get no signs beyond the first ones.
local MOST_SIGNS = 50000

---@type integer? the autocommand group while it is shown
local group

--- The last answer for each buffer.
---@type table<integer, ctx.SeesAnswer>
local answers = {}

--- The buffers with a request on its way, and whether they have changed since.
---@type table<integer, boolean>
local asking = {}

--- Whether a sentence was shown since the signs were: without a statusline for it, they would be all there is.
local told = false

---@param buffer integer
---@param answer ctx.SeesAnswer
local function draw(buffer, answer)
  if not told and buffer == api.nvim_get_current_buf() then
    told = true
    require('ctx.notify').show(answer.text.text)
  end
  local before = answers[buffer]
  answers[buffer] = answer
  vim.b[buffer].ctx_sees = answer.text.text
  if before and vim.deep_equal(before.ranges, answer.ranges) and not vim.bo[buffer].modified then
    return
  end
  api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  local last = math.min(api.nvim_buf_line_count(buffer), MOST_SIGNS)
  for _, range in ipairs(answer.ranges) do
    local sign = SIGNS[range.state]
    if sign then
      for line = math.max(range.from, 1), math.min(range.to, last) do
        local mark = { sign_text = sign[1], sign_hl_group = sign[2], priority = 5 }
        api.nvim_buf_set_extmark(buffer, space, line - 1, 0, mark)
      end
    end
  end
end

---@param buffer integer
---@return boolean
local function is_file(buffer)
  return api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == '' and api.nvim_buf_get_name(buffer) ~= ''
end

--- The text of a buffer as it would be saved.
---@param buffer integer
---@return string
local function text_of(buffer)
  local text = table.concat(api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  return vim.bo[buffer].endofline and text .. '\n' or text
end

--- Requests the answer for a buffer. At most one request of a buffer is on its way, so that typing never waits.
---@param buffer integer
local function ask(buffer)
  if not group or not is_file(buffer) then
    return
  end
  if asking[buffer] ~= nil then
    asking[buffer] = true
    return
  end
  local reading = require('ctx.status').reading(buffer)
  local path = api.nvim_buf_get_name(buffer)
  if not reading then
    return draw(buffer, { ranges = {}, text = { text = 'no session is shown' }, lines = 0, path = path, session = '' })
  end
  asking[buffer] = false
  local params = { id = reading.session, path = path, text = vim.bo[buffer].modified and text_of(buffer) or nil }
  require('ctx.client').request('ctx/sees', params, function(problem, answer)
    local again = asking[buffer]
    asking[buffer] = nil
    if not group or not is_file(buffer) then
      return
    end
    if again then
      return ask(buffer)
    end
    draw(
      buffer,
      answer or { ranges = {}, text = { text = problem }, lines = 0, path = path, session = reading.session }
    )
  end)
end

local function ask_all()
  for _, window in ipairs(api.nvim_list_wins()) do
    ask(api.nvim_win_get_buf(window))
  end
end

local function hide()
  api.nvim_del_augroup_by_id(group)
  group = nil
  for buffer in pairs(answers) do
    if api.nvim_buf_is_valid(buffer) then
      api.nvim_buf_clear_namespace(buffer, space, 0, -1)
      vim.b[buffer].ctx_sees = nil
    end
  end
  answers = {}
end

local function show()
  for name, link in pairs(LINKS) do
    api.nvim_set_hl(0, name, { link = link, default = true })
  end
  group, told = api.nvim_create_augroup('ctx_sight', {}), false
  api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'BufWritePost', 'BufWinEnter', 'FileChangedShellPost' }, {
    group = group,
    callback = function(args)
      ask(args.buf)
    end,
  })
  api.nvim_create_autocmd('BufWipeout', {
    group = group,
    callback = function(args)
      answers[args.buf] = nil
    end,
  })
  api.nvim_create_autocmd('User', { group = group, pattern = 'CtxUpdate', callback = ask_all })
  ask_all()
end

--- Shows the signs, or hides them.
function M.toggle()
  if group then
    hide()
  else
    show()
  end
end

--- Shows the state of the line under the cursor: its item and the time.
function M.line()
  local buffer, line = api.nvim_get_current_buf(), api.nvim_win_get_cursor(0)[1]
  local answer = answers[buffer]
  if not answer then
    return require('ctx.notify').show('`:Ctx sees` shows what the next request holds')
  end
  for _, range in ipairs(answer.ranges) do
    if line >= range.from and line <= range.to then
      local at = range.at and os.date(', %Y-%m-%d %H:%M', math.floor(range.at / 1000)) or ''
      return require('ctx.notify').show(range.text.text .. at)
    end
  end
  require('ctx.notify').show(answer.text.text)
end

--- Returns a sentence about a buffer for a statusline; empty unless `:Ctx sees` is on.
---@param buffer? integer 0 or nil: the current buffer
---@return string
function M.text(buffer)
  local answer = answers[buffer and buffer ~= 0 and buffer or api.nvim_get_current_buf()]
  return answer and (answer.text.text:gsub('%c', ' ')) or ''
end

return M
