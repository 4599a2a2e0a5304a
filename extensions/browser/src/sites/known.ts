// Copyright The ctx-lsp authors. MIT licence.

import { chatgpt } from './chatgpt';
import { claude } from './claude';
import type { SiteData } from './data';
import { deepseek } from './deepseek';
import { gemini } from './gemini';
import { aistudio, grok, kimi, mistral, qwen } from './others';

/** Every site the extension knows, as it is shipped. */
export const known: readonly SiteData[] = [chatgpt, claude, gemini, deepseek, grok, aistudio, kimi, qwen, mistral];
