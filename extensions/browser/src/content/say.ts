// Copyright The ctx-lsp authors. MIT licence.

export type Say = (key: string, ...args: string[]) => string;
