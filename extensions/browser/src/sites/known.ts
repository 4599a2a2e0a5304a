// Copyright The ctx-lsp authors. MIT licence.

import { chatgpt } from './chatgpt';
import { claude } from './claude';
import type { SiteData } from './data';
import { gemini } from './gemini';

/** Every site the extension knows, as it is shipped. */
export const known: readonly SiteData[] = [chatgpt, claude, gemini];
