-- Copyright The ctx-lsp authors. MIT licence.

-- `:Ctx sees` with the real server: signs, a sentence for the statusline, and the line under the cursor.
local editor = require('editor')
local transcript = require('fixtures.transcript')
local eq = require('mini.test').expect.equality

local T = editor.set()

local LINES = { 'package box', '', 'func Open() int { return 1 }', 'func Close() int { return 2 }', 'func Next() {}' }

--- Records that the agent has read the first lines of a file.
local function read(t, path, count)
  local shown = {}
  for i = 1, count do
    shown[i] = ('%6d\t%s'):format(i, LINES[i])
  end
  local call = 'toolu_' .. count
  t:write({
    type = 'assistant',
    requestId = 'req_' .. count,
    message = {
      id = 'msg_read_' .. count,
      model = 'claude-opus-4-6',
      role = 'assistant',
      stop_reason = 'tool_use',
      content = { { type = 'tool_use', id = call, name = 'Read', input = { file_path = path, limit = count } } },
      usage = { input_tokens = 20000 + count, output_tokens = 10 },
    },
  })
  t:write({
    type = 'user',
    message = {
      role = 'user',
      content = { { type = 'tool_result', tool_use_id = call, content = table.concat(shown, '\n') } },
    },
  })
end

--- An editor with a file of which the agent has read four lines.
local function opened()
  local claude, work = editor.folder(), editor.folder()
  local path = work .. '/box.go'
  editor.write(path, table.concat(LINES, '\n') .. '\n')
  local t = transcript.new(claude, work)
  t:user('Read the box.')
  read(t, path, 4)
  local e = editor.open({ cwd = work, env = editor.real(claude) })
  e:wait_ready()
  e:wait_for("(vim.g.ctx_status or '') ~= ''", 'a session is shown')
  e:lua(("vim.cmd('edit %s')"):format(path))
  return e, t, path
end

local SIGNS = [[(function()
  local out = {}
  for name, space in pairs(vim.api.nvim_get_namespaces()) do
    if name == 'ctx_sight' then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
        out[#out + 1] = (mark[2] + 1) .. vim.trim(mark[4].sign_text or '')
      end
    end
  end
  return table.concat(out, ' ')
end)()]]

local function wait_signs(e, signs)
  if not e:get("vim.fn.has('nvim-0.8') == 1") then
    signs = signs:gsub('[^%d ]', '') -- Neovim 0.7 does not return the texts of signs
  end
  e:wait_for(SIGNS .. (' == %q'):format(signs), 'the signs are ' .. signs)
end

T['signs show the lines of the request, and follow typing and the agent'] = function()
  local e, t, path = opened()
  eq(e:get("require('ctx').sees()"), '')
  eq(e:get("package.loaded['ctx.sight'] == nil"), true) -- it costs nothing until it is used
  e:lua("vim.cmd('Ctx sees')")
  wait_signs(e, '1┃ 2┃ 3┃ 4┃')
  eq(e:get("require('ctx').sees()"), "4 of 5 lines are in Claude Code's next request")
  eq(e:get('vim.b.ctx_sees'), "4 of 5 lines are in Claude Code's next request")
  -- It is said once, for those whose statusline does not show it.
  eq(e:notices(), { "ctx: 4 of 5 lines are in Claude Code's next request" })
  -- A line is compared before it is saved.
  e:lua("vim.api.nvim_buf_set_lines(0, 2, 3, false, { 'func Opens() int { return 1 }' })")
  e:lua("vim.cmd('doautocmd TextChanged')")
  wait_signs(e, '1┃ 2┃ 3~ 4┃')
  e:lua("vim.cmd('edit!')")
  wait_signs(e, '1┃ 2┃ 3┃ 4┃')
  read(t, path, 5)
  wait_signs(e, '1┃ 2┃ 3┃ 4┃ 5┃')
  eq(#e:notices(), 1)
  e:lua("vim.cmd('Ctx sees')")
  wait_signs(e, '')
  eq(e:get("require('ctx').sees()"), '')
end

T['the line under the cursor is explained'] = function()
  local e = opened()
  e:lua("vim.cmd('Ctx sees line')")
  eq(e:notices()[1]:find('shows what the next request holds', 1, true) ~= nil, true)
  e:lua("vim.cmd('Ctx sees')")
  wait_signs(e, '1┃ 2┃ 3┃ 4┃')
  e:lua("vim.api.nvim_win_set_cursor(0, { 3, 0 }); vim.cmd('Ctx sees line')")
  local said = e:notices()[#e:notices()]
  eq(said:match('In the next request as it is here %(Read box%.go%), 20%d%d%-') ~= nil or said, true)
  e:lua("vim.api.nvim_win_set_cursor(0, { 5, 0 }); vim.cmd('Ctx sees line')")
  eq(e:notices()[#e:notices()]:find('Never sent', 1, true) ~= nil, true)
end

T['a buffer that is not in the workspace says so'] = function()
  local e = opened()
  local other = editor.folder() .. '/other.go'
  editor.write(other, LINES[3] .. '\n')
  e:lua("vim.cmd('Ctx sees')")
  wait_signs(e, '1┃ 2┃ 3┃ 4┃')
  e:lua(("vim.cmd('edit %s')"):format(other))
  e:wait_for("require('ctx').sees():find('not in the workspace', 1, true) ~= nil", 'the sentence')
end

return T
