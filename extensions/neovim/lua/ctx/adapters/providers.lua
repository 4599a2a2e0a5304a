-- Copyright The ctx-lsp authors. MIT licence.

--- Maps the chat plugins' names of providers to the server's. A provider that is not listed is omitted, because a model
--- is found by its own name, and a wrong provider would be worse than a missing one.
local NAMES = {
  anthropic = 'anthropic',
  claude = 'anthropic',
  azure = 'azure',
  azure_openai = 'azure',
  bedrock = 'amazon-bedrock',
  cohere = 'cohere',
  copilot = 'github-copilot',
  deepseek = 'deepseek',
  gemini = 'google',
  gemini_interactions = 'google',
  mistral = 'mistral',
  ollama = 'ollama',
  openai = 'openai',
  openai_responses = 'openai',
  openrouter = 'openrouter',
  vertex = 'google-vertex',
  xai = 'xai',
}

---@param name any
---@return string?
return function(name)
  return NAMES[name]
end
