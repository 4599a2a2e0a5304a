// Copyright The ctx-lsp authors. MIT licence.

// The tokens that providers add around texts. They are those that ctx-lsp assumes (core/model/family.go): no provider
// publishes them, so the lab does not test them.
export const frames = {
  claude: { user: 2, text: 1, call: 50, parameter: 11, one: 5, several: 6, each: 25, error: 6, system: 18, tools: 694 },
  o200k: { user: 6, text: 7, call: 15, parameter: 0, one: 9, several: 2, each: 7, error: 0, system: 6, tools: 0 },
  gemini: { user: 4, text: 2, call: 8, parameter: 0, one: 1, several: 0, each: 1, error: 0, system: 4, tools: 0 },
  qwen: { user: 8, text: 4, call: 12, parameter: 0, one: 9, several: 0, each: 9, error: 0, system: 8, tools: 0 },
};
