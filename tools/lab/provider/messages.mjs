// Copyright The ctx-lsp authors. MIT licence.

// Anthropic's Messages.
import { events, newId, whole } from './answer.mjs';

export const isPath = (path) => /\/messages(\/count_tokens)?$/.test(path);
export const counts = (path) => path.endsWith('/count_tokens');
export const counted = (input) => ({ input_tokens: input });

/** Returns the parts of a request: system texts, tools, and the items of the conversation. */
export function read(body) {
  const items = body.messages.flatMap((message) => {
    const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    return blocks.map((block, i) => ({ ...item(block, message.role), opens: i === 0, marked: !!block.cache_control }));
  });
  const system = typeof body.system === 'string' ? [{ text: body.system }] : (body.system ?? []);
  const loaded = new Set(items.flatMap((each) => each.loads ?? []));
  const tools = (body.tools ?? []).filter((tool) => !tool.defer_loading || loaded.has(tool.name));
  return {
    system: system.map((block) => ({ text: block.text, marked: !!block.cache_control })),
    tools: tools.map(({ name, description, input_schema }) => ({
      name,
      schema: input_schema,
      text: `<function>${JSON.stringify({ description, name, parameters: input_schema })}</function>\n`,
    })),
    items,
    byMarks: true,
  };
}

function item(block, role) {
  switch (block.type) {
    case 'text':
      return { kind: role === 'assistant' ? 'text' : 'user', role, text: block.text };
    case 'thinking':
      return { kind: 'reasoning', text: textOf(block.signature) };
    case 'tool_use':
      return {
        kind: 'call',
        text: block.name + JSON.stringify(block.input),
        parameters: Object.keys(block.input ?? {}).length,
      };
    case 'tool_result': {
      const parts = typeof block.content === 'string' ? [{ text: block.content }] : (block.content ?? []);
      return {
        kind: 'result',
        failed: !!block.is_error,
        text: parts.map((part) => part.text ?? '').join(''),
        images: parts.flatMap((part) => part.source?.data ?? []),
        loads: parts.filter((part) => part.type === 'tool_reference').map((part) => part.tool_name),
      };
    }
  }
  if (block.type === 'image') return { kind: 'user', role, text: '', images: [block.source?.data ?? ''] };
  return { kind: 'user', role, text: JSON.stringify(block) };
}

/** The signature has the reasoning, because agents may drop its text. */
const signed = (text) => Buffer.from(`lab ${text}`).toString('base64');
const textOf = (signature) =>
  Buffer.from(signature ?? '', 'base64')
    .toString()
    .replace(/^lab /, '');

/** The events of a block's content. */
function deltas(block) {
  if (block.type === 'text') return [{ type: 'text_delta', text: block.text }];
  if (block.type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
  return [
    { type: 'thinking_delta', thinking: block.thinking },
    { type: 'signature_delta', signature: block.signature },
  ];
}
const empty = { text: { text: '' }, tool_use: { input: {} }, thinking: { thinking: '', signature: '' } };

export function write(response, { body, step, usage }) {
  const content = step.text ? [{ type: 'text', text: step.text }] : [];
  if (step.reasoning)
    content.unshift({ type: 'thinking', thinking: step.reasoning, signature: signed(step.reasoning) });
  for (const call of step.calls)
    content.push({ type: 'tool_use', id: `toolu_${newId()}`, name: call.name, input: call.arguments });
  const stop_reason = step.calls.length > 0 ? 'tool_use' : 'end_turn';
  const start = {
    input_tokens: usage.input - usage.read - usage.written,
    cache_creation_input_tokens: usage.written,
    cache_read_input_tokens: usage.read,
    output_tokens: 1,
    service_tier: 'standard',
  };
  const end = { ...start, output_tokens: usage.output };
  const message = { id: `msg_${newId()}`, type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
  if (!body.stream) return whole(response, { ...message, content, stop_reason, usage: end });
  const list = [{ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: start } }];
  for (const [index, block] of content.entries()) {
    list.push({ type: 'content_block_start', index, content_block: { ...block, ...empty[block.type] } });
    for (const delta of deltas(block)) list.push({ type: 'content_block_delta', index, delta });
    list.push({ type: 'content_block_stop', index });
  }
  list.push(
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: end },
    { type: 'message_stop' },
  );
  events(response, list);
}
