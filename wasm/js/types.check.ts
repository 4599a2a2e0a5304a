// Copyright The ctx-lsp authors. MIT licence.

// Messages of a conversation that the compiler must accept, and others that it must refuse. `tsc` of the browser
// extension checks this file; it is not part of the package.
import type { Appendix, Content, Core } from './ctx.js';

/** The messages of the AI SDK, as its types declare them. */
interface UIMessage {
  id: string;
  role: 'system' | 'user' | 'assistant';
  metadata?: unknown;
  parts: ({ type: 'text'; text: string } | { type: 'step-start' })[];
}
type ModelMessage =
  | { role: 'system'; content: string; providerOptions?: Record<string, unknown> }
  | { role: 'user' | 'assistant'; content: string | { type: string }[]; providerOptions?: Record<string, unknown> };
interface Tool {
  name: string;
  input_schema: object;
}
declare const ui: UIMessage[];
declare const model: ModelMessage[];
declare const tool: Tool;

export const accepted: Appendix[] = [
  ...ui,
  ...model,
  { role: 'user', content: 'x' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'x' }] },
  { role: 'user', parts: [{ text: 'x' }] },
  { type: 'function_call_output', call_id: 'x', output: 'y' },
  { kind: 'user', text: 'x' },
];
export const content: Content = [{ name: 'x', description: 'y', input_schema: {} }, tool, 'text', 5, { text: 'x' }];
export const within = async (core: Core): Promise<string> => {
  const count = await core.isWithinLimit('x', 5);
  return count === false ? '' : `${count.tokens} ${count.basis}`;
};

// @ts-expect-error a misspelt kind
export const misspelt: Appendix = { kind: 'usr', text: 'x' };
// @ts-expect-error a misspelt kind beside a role
export const both: Appendix = { kind: 'usr', role: 'user', content: 'x' };
// @ts-expect-error neither a role nor a type
export const without: Appendix = { content: 'x' };
// @ts-expect-error a role that is not a text
export const number: Appendix = { role: 5, content: 'x' };
