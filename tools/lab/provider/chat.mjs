// Copyright The ctx-lsp authors. MIT licence.

// OpenAI's Chat Completions, which most other providers speak as well.
import { events, newId, whole } from './answer.mjs';

export const isPath = (path) => path.endsWith('/chat/completions');
export const counts = () => false;

/** Returns the parts of a request: system texts, tools, and the items of the conversation. */
export function read(body) {
  const system = [];
  const items = [];
  const names = new Map();
  // The provider drops the reasoning of earlier turns.
  const turn = body.messages.findLastIndex((each) => each.role === 'user');
  for (const [i, message] of body.messages.entries()) {
    const { role, content } = message;
    const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
    if (role === 'system' || role === 'developer') system.push({ text });
    else if (role === 'user') items.push(...spoken(text), ...shown(content));
    else if (role === 'tool')
      items.push({ kind: 'result', name: names.get(message.tool_call_id) ?? '', text }, ...shown(content));
    else {
      if (message.reasoning_content && i > turn) items.push({ kind: 'reasoning', text: message.reasoning_content });
      if (text) items.push({ kind: 'text', text });
      for (const call of message.tool_calls ?? []) {
        names.set(call.id, call.function.name);
        items.push({ kind: 'call', text: call.function.name + call.function.arguments });
      }
    }
  }
  const tools = (body.tools ?? []).map((tool) => ({
    name: tool.function.name,
    schema: tool.function.parameters,
    ...tool.function,
    text: JSON.stringify(tool.function),
  }));
  return { system, tools, items };
}

/** The images of a message. */
const shown = (content) =>
  (Array.isArray(content) ? content : []).flatMap((part) =>
    part.image_url ? [{ kind: 'image', images: [part.image_url.url.replace(/^data:[^,]*,/, '')] }] : [],
  );

/** Returns the items of a user's message. A model without system messages gets them in tags. */
function spoken(text) {
  const tagged = /<system>\n[\s\S]*?\n<\/system>/g;
  const items = (text.match(tagged) ?? []).map((part) => ({ kind: 'system', text: part, part: true }));
  const rest = items.length > 0 ? text.replace(tagged, '').trim() : text;
  return rest || items.length === 0 ? [...items, { kind: 'user', role: 'user', text: rest }] : items;
}

export function write(response, { body, step, usage }) {
  const counted = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.read },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
  const tool_calls = step.calls.map((call, index) => ({
    index,
    id: `call_${newId()}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const calls = tool_calls.length > 0 ? { tool_calls } : {};
  const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
  const base = { id: `chatcmpl-${newId()}`, created: Math.floor(Date.now() / 1000), model: body.model };
  if (!body.stream) {
    const thought = step.reasoning ? { reasoning_content: step.reasoning } : {};
    const message = { role: 'assistant', content: step.text, ...thought, ...calls };
    const choices = [{ index: 0, message, finish_reason }];
    return whole(response, { ...base, object: 'chat.completion', choices, usage: counted });
  }
  const chunk = (delta, reason = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const list = [chunk({ role: 'assistant', content: '' })];
  if (step.reasoning) list.push(chunk({ reasoning_content: step.reasoning }));
  list.push(chunk({ content: step.text }));
  if (tool_calls.length > 0) list.push(chunk(calls));
  list.push(chunk({}, finish_reason), { ...base, object: 'chat.completion.chunk', choices: [], usage: counted });
  events(response, list, 'data: [DONE]\n\n');
}
