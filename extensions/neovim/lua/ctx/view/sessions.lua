-- Copyright The ctx-lsp authors. MIT licence.

--- `:Ctx sessions`: a list of all sessions that the server knows. Those at which somebody works come first, the fullest
--- of them at the top, and sub-agents are under their parents. The session that the person picks stays in focus.
local activity = require('ctx.view.activity')
local readings = require('ctx.readings')
local text = require('ctx.view.text')

local M = {}

---@class (exact) ctx.Pick
---@field session string? nil for following the editor again
---@field line string

--- What a session's agent does, and since when; of one at which nobody works, how long ago somebody did.
---@param s ctx.ListedSession
---@return string
local function standing(s)
  local words = activity.words(s)
  local age = words ~= '' and text.age(activity.quiet(s) and s.asOf or s.since)
  return age and words .. ' ' .. age or words
end

--- Whose session it is, as its reading says it for a person.
---@param s ctx.ListedSession
---@return string
local function agent(s)
  local reading = readings.get(s.session)
  local name = reading and reading.lines and reading.lines.agent or ''
  return name ~= '' and name or s.agent ~= 'generic' and s.agent or ''
end

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
      if activity.quiet(a) ~= activity.quiet(b) then
        return activity.quiet(b)
      end
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
        local opening = (require('ctx.readings').get(s.session) or {}).opening
        local title = s.title and s.title ~= '' and s.title or opening or s.label or ''
        local words = {
          ('  '):rep(depth) .. d.mark .. (s.percent and d.percent or d.used),
          not activity.quiet(s) and s.level ~= 'ok' and s.level or '',
          standing(s),
          agent(s),
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
      return require('ctx.say').aloud('no agent session was found')
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
