// Copyright The ctx-lsp authors. MIT licence.

import type * as esm from './ctx.js' with { 'resolution-mode': 'import' };

export type * from './types.js' with { 'resolution-mode': 'import' };

export declare const load: typeof esm.load;
export declare const CtxError: typeof esm.CtxError;
export type CtxError = esm.CtxError;
export type ByteSource = esm.ByteSource;
export type ModuleSource = esm.ModuleSource;
export type PackSource = esm.PackSource;
export type LoadOptions = esm.LoadOptions;
export type CountOptions = esm.CountOptions;
export type Core = esm.Core;
