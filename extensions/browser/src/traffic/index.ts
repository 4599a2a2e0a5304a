// Copyright The ctx-lsp authors. MIT licence.

import type { Endpoint } from '../sites/data';
import { chatgpt } from './chatgpt';
import { claude } from './claude';
import { deepseek } from './deepseek';
import { gemini } from './gemini';
import type { Facts } from './loaded';

const readers: Partial<Record<Endpoint['reads'], (body: string) => Facts>> = { chatgpt, claude, deepseek, gemini };

/** Reads an answer in the shape that the endpoint has. What is not of that shape tells nothing. */
export function read(endpoint: Endpoint, body: string): Facts {
  try {
    return readers[endpoint.reads]?.(body) ?? { conversation: null };
  } catch {
    return { conversation: null };
  }
}
