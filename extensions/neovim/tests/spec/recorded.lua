-- Copyright The ctx-lsp authors. MIT licence.

local editor = require('editor')
local recorded = require('fixtures.recorded')
local eq = require('mini.test').expect.equality

local T = editor.set()

T['every form of a date is moved by the same time, and no other number'] = function()
  local text = table.concat({
    '{"timestamp":"2026-03-02T09:00:00.123Z","resets_at":1790000000}',
    '"2026-03-02T10:00:00+01:00" "2026-03-02 08:59:58" "2026-03-02T08:59:58.123456"',
    '1772442000 1772442000123 1772442000123456 1772442000.5 "session-1772442000123.json" 2026-03-02T09-00-00-123Z',
    '"day":"2026-03-02","model":"gpt-4o-2026-03-02","tokens":177244200,"id":"x1772442000" session-2026-03-02T09-00-12cd',
  }, '\n')
  eq(recorded.newest(text), 1772442000)
  -- To 27 November, 14:03:04, from where the text says 2 March, 9:00:00.
  local name, moved = next(recorded.moved({ ['2026/03/02.jsonl'] = text }, recorded.now() - 1795788184))
  eq(name, '2026/11/27.jsonl')
  eq(vim.split(moved, '\n'), {
    '{"timestamp":"2026-11-27T14:03:04.123Z","resets_at":1813346184}',
    '"2026-11-27T15:03:04+01:00" "2026-11-27 14:03:02" "2026-11-27T14:03:02.123456"',
    '1795788184 1795788184123 1795788184123456 1795788184.5 "session-1795788184123.json" 2026-11-27T14-03-04-123Z',
    '"day":"2026-11-27","model":"gpt-4o-2026-03-02","tokens":177244200,"id":"x1772442000" session-2026-11-27T14-03-12cd',
  })
end

T['a recording that did not come through place() is refused'] = function()
  local folder = editor.folder()
  local record = '{"timestamp":"2026-03-02T09:00:00.000Z"}'
  recorded.place(folder, { ['.agent/s.jsonl'] = record })
  recorded.place(folder, { ['.agent/old.jsonl'] = record }, 3 * 86400) -- old on purpose
  recorded.refuse(folder)
  editor.write(folder .. '/copied.jsonl', record)
  local refused, why = pcall(editor.environment, folder, {})
  eq(refused, false)
  eq(why:find('/copied.jsonl has no record after 2026-03-02T09:00:00Z: ', 1, true) ~= nil, true)
  vim.fn.delete(folder .. '/copied.jsonl')
end

return T
