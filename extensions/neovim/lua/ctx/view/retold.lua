-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx handover`, `:Ctx forgot` and `:Ctx fits`: notes and lists that the daemon writes from a transcript, and a
--- check whether a text fits.
local M = {}

--- The displayed states of items that were in a window before a compaction.
local STATES = { kept = 'kept', inSummary = 'in the summary', gone = 'dropped', unknown = 'unknown' }

--- The maximum length of a text to check.
local LONGEST = 8 * 1024 * 1024

--- Returns the session that the current buffer shows; without one, it shows why.
---@return ctx.Reading?
local function session()
  local reading = require('ctx.status').reading()
  if not reading then
    require('ctx.view.status').show_why_none()
  end
  return reading
end

--- Opens lines in a new buffer that is not a file and is deleted with its window.
---@param name string
---@param lines string[]
---@param filetype string
local function open(name, lines, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].filetype, vim.bo[buffer].modified = filetype, false
  pcall(vim.api.nvim_buf_set_name, buffer, ('ctx://%s/%d'):format(name, buffer))
end

---@param method string
---@param params table
---@param done fun(answer: table)
local function ask(method, params, done)
  require('ctx.client').request(method, params, function(problem, answer)
    if problem then
      return require('ctx.notify').show(problem, vim.log.levels.WARN)
    end
    done(answer)
  end)
end

--- Opens a handover note in a buffer.
---@param size string? the maximum number of tokens
function M.handover(size)
  local tokens = size and tonumber(size)
  if size and not tokens then
    return require('ctx.notify').show(('%q is not a number of tokens'):format(size), vim.log.levels.ERROR)
  end
  local reading = session()
  if reading then
    ---@param note ctx.HandoverAnswer
    ask('ctx/handover', { id = reading.session, tokens = tokens }, function(note)
      open('handover', vim.split(vim.trim(note.text), '\n', { plain = true }), 'markdown')
    end)
  end
end

--- Lists what the last compaction dropped, with its summary below.
function M.forgot()
  local reading = session()
  if not reading then
    return
  end
  ---@param answer ctx.ForgotAnswer
  ask('ctx/forgot', { id = reading.session }, function(answer)
    local lines = { ('Compaction %d of %d: %s'):format(answer.compaction, answer.compactions, answer.text) }
    local compaction = reading.compaction
    if type(compaction.last) == 'table' and compaction.count == answer.compaction then
      lines[#lines + 1] = compaction.last.text.text
    end
    lines[#lines + 1] = ''
    local number = require('ctx.view.text').number
    local function named(item)
      return item.excerpt ~= '' and (item.label .. ': ' .. item.excerpt) or item.label
    end
    for _, thing in ipairs(answer.largest) do
      local times = thing.items > 1 and (' ×%d'):format(thing.items) or ''
      lines[#lines + 1] = ('%9s  %s%s'):format(number(thing.tokens), named(thing), times)
    end
    if answer.more.items > 0 then
      lines[#lines + 1] = ('%9s  and %d more'):format(number(answer.more.tokens), answer.more.items)
    end
    vim.list_extend(lines, { '', 'All items:', '' })
    for _, item in ipairs(answer.items) do
      local tokens = item.tokens and number(item.tokens) or '?'
      lines[#lines + 1] = ('%-14s %9s  %s'):format(STATES[item.state] or item.state, tokens, named(item))
    end
    vim.list_extend(lines, { '', answer.summaryTells and 'Summary:' or 'The agent does not record its summary.', '' })
    vim.list_extend(lines, vim.split(answer.summary, '\n', { plain = true }))
    open('forgot', lines, 'markdown')
  end)
end

--- The text files of a directory that git does not ignore; every file without git.
---@param path string
---@return string[]
local function below(path)
  local found = vim.fn.systemlist({ 'git', '-C', path, 'ls-files', '-co', '--exclude-standard' })
  if vim.v.shell_error ~= 0 then
    found = vim.fn.globpath(path, '**', true, true)
  else
    found = vim.tbl_map(function(name)
      return path .. '/' .. name
    end, found)
  end
  return vim.tbl_filter(function(name)
    return vim.fn.filereadable(name) == 1
  end, found)
end

--- Reads a file as it is, with its last newline, so that every front end counts the same.
---@param path string
---@return string?
local function read(path)
  local file = io.open(path, 'rb')
  local text = file and file:read('*a')
  if file then
    file:close()
  end
  return text
end

--- Reads the files of a directory as parts. Files that are not text are left out.
---@param folder string
---@param shown string the directory as the user wrote it
---@return table[]? parts nil if it is too large
local function folder_parts(folder, shown)
  local parts, size = {}, 0
  for _, path in ipairs(below(folder)) do
    size = size + vim.fn.getfsize(path)
    if size > LONGEST then
      return nil
    end
    local text = read(path) or '\0'
    if not text:find('\0', 1, true) then
      parts[#parts + 1] = { label = shown:gsub('/$', '') .. path:sub(#folder + 1), text = text }
    end
  end
  return parts
end

--- Checks whether files, directories, otherwise the lines of a range or the buffer, fit into the session.
---@param files string[]
---@param range { [1]: integer, [2]: integer }?
function M.fits(files, range)
  local reading = session()
  if not reading then
    return
  end
  local parts = {}
  for _, file in ipairs(files) do
    local path = vim.fn.expand(file):gsub('(.)/$', '%1')
    if vim.fn.isdirectory(path) == 1 then
      local more = folder_parts(path, file)
      if not more then
        return require('ctx.notify').show(('%s has more than 8 MB of files'):format(file), vim.log.levels.ERROR)
      end
      vim.list_extend(parts, more)
    elseif vim.fn.filereadable(path) == 0 or vim.fn.getfsize(path) > LONGEST then
      return require('ctx.notify').show(('%s is not a readable file'):format(file), vim.log.levels.ERROR)
    else
      parts[#parts + 1] = { label = file, text = read(path) or '' }
    end
  end
  if #files == 0 then
    local lines = vim.api.nvim_buf_get_lines(0, range and range[1] - 1 or 0, range and range[2] or -1, false)
    local name = vim.api.nvim_buf_get_name(0)
    local last = not range and vim.bo.endofline and '\n' or ''
    parts[1] = { label = vim.fn.fnamemodify(name, ':.'), text = table.concat(lines, '\n') .. last }
  end
  ---@param answer ctx.FitsAnswer
  ask('ctx/session/fits', { id = reading.session, parts = parts }, function(answer)
    require('ctx.notify').show(answer.text, vim.log.levels.INFO)
  end)
end

return M
