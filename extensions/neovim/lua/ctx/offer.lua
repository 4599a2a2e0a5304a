-- Copyright The ctx-lsp authors. MIT licence.

--- Vocabularies that would make counts exact. They are offered once, and fetched by `:Ctx fetch`.
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

--- Shows a vocabulary that the server offers. It asks nothing, so that nobody is kept from typing, and it does so once.
---@param offer? ctx.OfferParams
function M.take(offer)
  if not offer then
    return
  end
  -- The command comes first, because the end of a message is cut where there is little room.
  require('ctx.say').aloud((':Ctx fetch %s downloads: %s'):format(offer.name, offer.sentence))
  answer(offer.name, false)
end

--- Fetches a vocabulary. The server shows the progress and the result.
---@param name? string
function M.fetch(name)
  if not name then
    return require('ctx.say').aloud('fetch expects the name of a vocabulary, such as claude', vim.log.levels.ERROR)
  end
  answer(name, true)
end

return M
