// Copyright The ctx-lsp authors. MIT licence.

export type * from './types.js' with { 'resolution-mode': 'import' };
