-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx sessions`: a list of all sessions that the server knows. The fullest is first, and sub-agents are under their
--- parents. The session that the person picks stays in focus.
local text = require('ctx.view.text')

local M = {}

---@class (exact) ctx.Pick
---@field session string? nil for following the editor again
---@field line string

--- The entries of the picker. The session that is held in focus is marked.
---@param sessions ctx.ListedSession[]
---@param held? string
---@return ctx.Pick[]
function M.entries(sessions, held)
  local known, under = {}, {}
  for _, s in ipairs(sessions) do
    known[s.session] = true
  end
  for _, s in ipairs(sessions) do
    local parent = s.parent and known[s.parent] and s.parent or ''
    under[parent] = under[parent] or {}
    table.insert(under[parent], s)
  end
  for _, list in pairs(under) do
    table.sort(list, function(a, b)
      if (a.percent or -1) ~= (b.percent or -1) then
        return (a.percent or -1) > (b.percent or -1)
      end
      return a.session < b.session
    end)
  end
  local entries = {}
  if held then
    entries[1] = { line = 'follow the editor' }
  end
  local seen = {}
  local function add(parent, depth)
    for _, s in ipairs(under[parent] or {}) do
      if not seen[s.session] then
        seen[s.session] = true
        local d = s.display
        local quiet = s.activity == 'idle' or s.activity == 'ended'
        local age = quiet and text.age(s.asOf) or nil
        local title = s.title and s.title ~= '' and s.title or s.label or ''
        local words = {
          ('  '):rep(depth) .. d.mark .. (s.percent and d.percent or d.used),
          quiet and s.activity .. (age and ' ' .. age or '') or s.level ~= 'ok' and s.level or '',
          s.agent ~= 'generic' and s.agent or '',
          -- Two sessions of one agent in one folder look alike but for these.
          title ~= '' and text.clip(title, 40) or '',
          s.session:sub(1, 8),
          s.model or '',
          s.workspace and vim.fn.fnamemodify(s.workspace, ':~') or '',
          s.session == held and '(held)' or '',
        }
        entries[#entries + 1] = {
          session = s.session,
          line = table.concat(
            vim.tbl_filter(function(word)
              return word ~= ''
            end, words),
            '  '
          ),
        }
        add(s.session, depth + 1)
      end
    end
  end
  add('', 0)
  return entries
end

function M.open()
  require('ctx.client').request('ctx/sessions', nil, function(problem, result)
    if problem then
      return require('ctx.say').aloud(problem, vim.log.levels.WARN)
    end
    local focus = require('ctx.focus')
    local entries = M.entries(result and result.sessions or {}, focus.held())
    if #entries == 0 then
      return require('ctx.say').aloud('no session of any agent was found')
    end
    vim.ui.select(entries, {
      prompt = 'Context of',
      kind = 'ctx_session',
      format_item = function(entry)
        return text.clip(entry.line, math.max(20, vim.o.columns - 8))
      end,
    }, function(entry)
      if entry then
        focus.hold(entry.session)
      end
    end)
  end)
end

return M
