// Copyright The ctx-lsp authors. MIT licence.

import type * as esm from './journal.js' with { 'resolution-mode': 'import' };

export declare const Journal: typeof esm.Journal;
export type Journal = esm.Journal;
export type Call = esm.Call;
export type ChangingMethod = esm.ChangingMethod;
export type SessionMethod = esm.SessionMethod;
