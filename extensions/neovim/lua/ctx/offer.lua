-- Copyright The ctx-lsp authors. MIT licence.

--- Vocabularies that would make counts exact. Each is offered once, in the window of `:Ctx`, and downloaded by
--- `:Ctx fetch`.
local M = {}

---@param name string
---@param fetch boolean
local function answer(name, fetch)
  require('ctx.client').request('ctx/vocabulary', { name = name, fetch = fetch }, function(err)
    if err then
      require('ctx.notify').show(err, vim.log.levels.ERROR)
    end
  end)
end

--- The offer that has not been shown yet.
---@type ctx.OfferParams?
local waiting

--- Keeps a vocabulary that the server offers until the user opens the window of `:Ctx`.
---@param offer? ctx.OfferParams
function M.take(offer)
  if type(offer) == 'table' and type(offer.name) == 'string' then
    waiting = offer
  end
end

--- Returns the offer as a sentence with its command, and informs the server that it was shown. After that it returns
--- nil, and this machine gets no further offer of it. An offer for another model than the shown one waits.
---@param model? string the model of the session that is shown
---@return string?
function M.sentence(model)
  local offer = waiting
  if not offer or (offer.model or '') ~= '' and model and offer.model ~= model then
    return nil
  end
  waiting = nil
  answer(offer.name, false)
  local of = offer.phrase and offer.phrase.args and offer.phrase.args[1] or offer.name
  local size = type(offer.bytes) == 'number' and ('%.1f MB '):format(offer.bytes / 1e6) or ''
  local licence = (offer.licence or '') ~= '' and (' (%s)'):format(offer.licence) or ''
  return ('Exact counts for %s need a %svocabulary%s. :Ctx fetch %s'):format(of, size, licence, offer.name)
end

--- Downloads a vocabulary. The server shows the progress and the result.
---@param name? string
function M.fetch(name)
  if not name then
    return require('ctx.notify').show('fetch expects the name of a vocabulary, such as claude', vim.log.levels.ERROR)
  end
  answer(name, true)
end

return M
