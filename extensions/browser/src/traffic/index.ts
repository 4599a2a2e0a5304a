// Copyright The ctx-lsp authors. MIT licence.

import type { Endpoint } from '../sites/data';
import { chatgpt } from './chatgpt';
import { claude } from './claude';
import { deepseek } from './deepseek';
import { gemini } from './gemini';
import { librechat } from './librechat';
import type { Facts } from './loaded';
import { openai } from './openai';
import { openwebui } from './openwebui';

/** Reads a body. What the address itself names is given with it. */
type Reader = (body: string, named: Record<string, string>) => Facts;

const readers: Record<Endpoint['reads'], Reader> = {
  chatgpt,
  claude,
  deepseek,
  gemini,
  librechat,
  openai,
  openwebui,
};

/** Reads an answer in the shape that the endpoint has. What is not of that shape tells nothing. */
export function read(endpoint: Endpoint, body: string, named: Record<string, string> = {}): Facts {
  try {
    return readers[endpoint.reads](body, named);
  } catch {
    return { conversation: null };
  }
}
