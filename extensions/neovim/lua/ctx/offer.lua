-- Copyright The ctx-lsp authors. MIT licence.

--- Vocabularies that would make counts exact: told once, fetched by `:Ctx fetch`.
local M = {}

---@param name string
---@param fetch boolean
local function answer(name, fetch)
  require('ctx.client').request('ctx/vocabulary', { name = name, fetch = fetch }, function(err)
    if err then
      require('ctx.say').aloud(err, vim.log.levels.ERROR)
    end
  end)
end

--- Tells of a vocabulary that the server offers. Nobody is kept from typing by a question, so that telling it is all
--- that happens, and it is told once.
---@param offer? ctx.OfferParams
function M.take(offer)
  if not offer then
    return
  end
  -- The command comes first: where there is little room the end is cut.
  require('ctx.say').aloud((':Ctx fetch %s gets: %s'):format(offer.name, offer.sentence))
  answer(offer.name, false)
end

--- Fetches a vocabulary; the server shows how far it is and what came of it.
---@param name? string
function M.fetch(name)
  if not name then
    return require('ctx.say').aloud('fetch takes the name of a vocabulary, such as claude', vim.log.levels.ERROR)
  end
  answer(name, true)
end

return M
