-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx history`: the usage chart of a session, with its compactions, the breaks of its prompt cache and the
--- compaction threshold.
local text = require('ctx.view.text')

local M = {}

local TITLE = 'History'

--- The maximum width and height of the chart in cells.
local WIDTH, HEIGHT = 60, 12

--- The width of the labels on the left in columns.
local AXIS = 10

--- The bits of the dots in a braille cell, bottom to top: a cell has two columns of four dots.
local DOTS = { { 0x40, 0x04, 0x02, 0x01 }, { 0x80, 0x20, 0x10, 0x08 } }

--- Returns the braille character with these dots, in UTF-8.
---@param bits integer
---@return string
local function braille(bits)
  return string.char(0xE2, 0xA0 + math.floor(bits / 64), 0x80 + bits % 64)
end

--- Returns the value that each column shows. If there are fewer points than columns, a point fills several columns. If
--- there are more, a column shows the highest of its points.
---@param points ctx.HistoryPoint[]
---@param columns integer
---@return integer[] used by column
---@return table<integer, integer> column of call
local function columns_of(points, columns)
  local used, column_of = {}, {}
  for i, point in ipairs(points) do
    local first = math.floor((i - 1) / #points * columns) + 1
    local last = math.max(first, math.floor(i / #points * columns))
    for column = first, last do
      used[column] = math.max(used[column] or 0, point.used)
    end
    column_of[point.call or i] = first
  end
  return used, column_of
end

--- Returns the breaks of the prompt cache except those of compactions, which have a mark of their own.
---@param history ctx.HistoryAnswer
---@return ctx.DetailedBreak[]
local function broken_alone(history)
  return vim.tbl_filter(function(broke)
    return broke.cause ~= 'compaction'
  end, history.breaks or {})
end

--- How many breaks are listed, the last ones.
local BREAKS = 20

--- Returns the lines for a history.
---@param history ctx.HistoryAnswer
---@return ctx.Chunk[][]
function M.lines(history)
  local points = history.points or {}
  if #points == 0 then
    return { { { ' No request has been measured yet.', 'CtxMuted' } } }
  end
  local width = math.min(WIDTH, require('ctx.view.window').room() - AXIS - 3)
  local used, column_of = columns_of(points, width * 2)
  local top = math.max(history.limit or 0, history.threshold or 0, 1)
  for _, value in pairs(used) do
    top = math.max(top, value)
  end
  local function height_of(value)
    return math.min(HEIGHT * 4, math.floor(value / top * HEIGHT * 4 + 0.5))
  end
  local threshold_row = history.threshold and math.max(1, math.ceil(height_of(history.threshold) / 4))
  local last = points[#points].used
  local last_row = math.max(1, math.ceil(height_of(last) / 4))
  local lines = {}
  for row = HEIGHT, 1, -1 do
    local label = ''
    if row == HEIGHT then
      label = text.number(top)
    elseif row == threshold_row then
      label = text.number(history.threshold)
    elseif row == last_row then
      label = text.number(last)
    end
    local chunks = { { text.pad(label, AXIS, true) .. ' ', 'CtxMuted' } }
    for cell = 1, width do
      local bits = 0
      for side = 1, 2 do
        local value = used[(cell - 1) * 2 + side]
        if value then
          local dots = height_of(value) - (row - 1) * 4
          for dot = 1, math.min(4, dots) do
            bits = bits + DOTS[side][dot]
          end
        end
      end
      if bits > 0 then
        chunks[#chunks + 1] = { braille(bits), row == threshold_row and 'CtxSoon' or 'CtxOk' }
      elseif row == threshold_row then
        chunks[#chunks + 1] = { '┄', 'CtxLine' }
      else
        chunks[#chunks + 1] = { ' ' }
      end
    end
    lines[#lines + 1] = chunks
  end
  local marks, breaks = {}, broken_alone(history)
  local call = 0
  for _, point in ipairs(points) do
    for _, broke in ipairs(breaks) do
      if broke.call > call and broke.call <= (point.call or 0) then
        marks[math.ceil(column_of[point.call] / 2)] = '◆'
      end
    end
    call = point.call or call
  end
  for _, compacted in ipairs(history.compactions or {}) do
    local column = column_of[compacted.call]
    if column then
      marks[math.ceil(column / 2)] = '▲'
    end
  end
  local axis = ''
  for cell = 1, width do
    axis = axis .. (marks[cell] or '─')
  end
  lines[#lines + 1] = { { text.pad('0', AXIS, true) .. ' ', 'CtxMuted' }, { axis, 'CtxMuted' } }
  local first_at, last_at = points[1].at, points[#points].at
  if first_at and last_at then
    local far = last_at - first_at > 24 * 3600 * 1000
    local function clock(at)
      return tostring(os.date(far and '%m-%d %H:%M' or '%H:%M', math.floor(at / 1000)))
    end
    local from, to = clock(first_at), clock(last_at)
    lines[#lines + 1] = { { (' '):rep(AXIS + 1) .. from .. text.pad(to, width - #from, true), 'CtxMuted' } }
  end
  lines[#lines + 1] = {}
  lines[#lines + 1] = {
    { (' %s requests'):format(text.number(points[#points].call or #points)), 'CtxLabel' },
    { history.threshold and ('   ┄ compacts at %s'):format(text.number(history.threshold)) or '', 'CtxLine' },
    {
      #(history.compactions or {}) > 0 and ('   ▲ compacted ' .. text.times(#history.compactions)) or '',
      'CtxMuted',
    },
    { #breaks > 0 and '   ◆ break of the prompt cache' or '', 'CtxMuted' },
  }
  for _, compacted in ipairs(history.compactions or {}) do
    lines[#lines + 1] = {
      {
        ('   request %s: %s → %s %s'):format(
          text.number(compacted.call),
          text.number(compacted.before),
          text.number(compacted.after),
          compacted.trigger or ''
        ),
        'CtxMuted',
      },
    }
  end
  for i = math.max(1, #breaks - BREAKS + 1), #breaks do
    local broke = breaks[i]
    lines[#lines + 1] = { { ('   request %s: %s'):format(text.number(broke.call), broke.text.text), 'CtxMuted' } }
  end
  return lines
end

--- Requests the history of the session that the current buffer shows, and opens the window.
function M.open()
  local reading = require('ctx.status').reading()
  if not reading then
    require('ctx.notify').show('the current session has no history to draw')
    return
  end
  local params = { id = reading.session, points = WIDTH * 2 }
  require('ctx.client').request('ctx/session/history', params, function(problem, history)
    if problem then
      return require('ctx.notify').show(problem, vim.log.levels.WARN)
    end
    require('ctx.view.window').show(TITLE, M.lines(history))
  end)
end

return M
