// Copyright The ctx-lsp authors. MIT licence.

// OpenAI's Responses.
import { events, newId, whole } from './answer.mjs';
import { typescript } from './typescript.mjs';

export const isPath = (path) => /\/responses(\/compact|\/input_tokens)?$/.test(path);
export const counts = (path) => path.endsWith('/input_tokens');
export const counted = (input) => ({ object: 'response.input_tokens', input_tokens: input });

/** Returns the parts of a request: system texts, tools, and the items of the conversation. */
export function read(body) {
  const list = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input;
  const names = new Map();
  const items = [];
  const tools = [...(body.tools ?? [])];
  // The provider drops the reasoning of earlier turns.
  const turn = list.findLastIndex((each) => each.role === 'user');
  for (const [i, each] of list.entries()) {
    if (each.type === 'reasoning' && i < turn) continue;
    if (each.type === 'additional_tools') {
      tools.push(...(each.tools ?? []));
      continue;
    }
    if (each.call_id && each.name) names.set(each.call_id, each.name);
    if (each.type === 'tool_search_output') tools.push(...found(each.tools ?? []));
    items.push(item(each, names));
  }
  return {
    system: body.instructions ? [{ text: body.instructions }] : [],
    tools: tools
      .flatMap((tool) =>
        tool.type === 'namespace' ? tool.tools.map((inner) => ({ ...inner, namespace: tool.name })) : [tool],
      )
      .map(({ found: inside, ...tool }) => ({
        name: tool.name ?? tool.type,
        type: tool.type,
        namespace: tool.namespace,
        schema: tool.parameters,
        description: tool.description,
        parameters: tool.parameters,
        // Counted where the conversation has it. A deferred tool is not in the prompt before a search has found it.
        text: inside || tool.defer_loading ? '' : JSON.stringify(tool),
        searched: tool.defer_loading && !inside ? tool : undefined,
      }))
      .filter((tool, _, all) => !tool.searched || !all.some((each) => each.name === tool.name && !each.searched)),
    items,
  };
}

/** Tools that a search has found: they can be called, and are a part of the conversation. */
const found = (tools) =>
  tools.map((tool) => ({ ...tool, found: true, ...(tool.tools ? { tools: found(tool.tools) } : {}) }));

/** The images of a content, in Base64. */
const imagesOf = (content) =>
  Array.isArray(content) ? content.flatMap((part) => part.image_url?.replace(/^data:[^,]*,/, '') ?? []) : [];

const kinds = { assistant: 'text', developer: 'system', system: 'system' };

function item(each, names) {
  switch (each.type ?? 'message') {
    case 'message': {
      const text =
        typeof each.content === 'string' ? each.content : each.content.map((part) => part.text ?? '').join('');
      return { kind: kinds[each.role] ?? 'user', role: each.role, text, images: imagesOf(each.content) };
    }
    case 'function_call':
    case 'custom_tool_call':
      return { kind: 'call', text: each.name + (each.arguments ?? each.input) };
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const parts = Array.isArray(each.output) ? each.output.map((part) => part.text ?? '').join('') : each.output;
      const text = typeof parts === 'string' ? parts : JSON.stringify(parts);
      return { kind: 'result', name: names.get(each.call_id) ?? '', text, images: imagesOf(each.output) };
    }
    case 'tool_search_call': // the provider's own is no step
      return { kind: each.execution === 'server' ? 'mcpTools' : 'call', text: JSON.stringify(each.arguments) };
    case 'tool_search_output':
      return {
        kind: 'mcpTools',
        text: each.tools
          .flatMap((tool) => tool.tools ?? [tool])
          .map(typescript)
          .join(''),
      };
    case 'reasoning':
      return { kind: 'reasoning', text: textOf(each.encrypted_content) };
  }
  return { kind: 'user', text: JSON.stringify(each) };
}

/** Encrypted reasoning is longer than its text by what providers add. */
const added = 650;
const encrypted = (text) => Buffer.concat([Buffer.alloc(added, 7), Buffer.from(text)]).toString('base64');
const textOf = (content) =>
  Buffer.from(content ?? '', 'base64')
    .subarray(added)
    .toString();

/** The provider's own search for a deferred tool. */
function searched({ namespace, ...tool }) {
  const of = { call_id: null, execution: 'server', status: 'completed' };
  const tools = namespace ? [{ type: 'namespace', name: namespace, description: namespace, tools: [tool] }] : [tool];
  return [
    { type: 'tool_search_call', id: `tsc_${newId()}`, ...of, arguments: { paths: [namespace ?? tool.name] } },
    { type: 'tool_search_output', id: `tso_${newId()}`, ...of, tools },
  ];
}

export function write(response, { body, step, usage }) {
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.read },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
  const output = [];
  if (step.reasoning)
    output.push({
      type: 'reasoning',
      id: `rs_${newId()}`,
      summary: [],
      encrypted_content: encrypted(step.reasoning),
    });
  if (step.text) {
    const content = [{ type: 'output_text', text: step.text, annotations: [] }];
    output.push({ type: 'message', id: `msg_${newId()}`, role: 'assistant', status: 'completed', content });
  }
  for (const call of step.calls) {
    if (call.type === 'tool_search') {
      output.push({
        type: 'tool_search_call',
        id: `tsc_${newId()}`,
        call_id: `call_${newId()}`,
        execution: 'client',
        status: 'completed',
        arguments: call.arguments,
      });
      continue;
    }
    if (call.type === 'custom') {
      const { name, arguments: made } = call;
      const of = { id: `ctc_${newId()}`, call_id: `call_${newId()}`, status: 'completed' };
      output.push({ type: 'custom_tool_call', ...of, name, input: made.input });
      continue;
    }
    if (call.searched) output.push(...searched(call.searched));
    output.push({
      type: 'function_call',
      id: `fc_${newId()}`,
      call_id: `call_${newId()}`,
      name: call.name,
      ...(call.namespace ? { namespace: call.namespace } : {}),
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    });
  }
  const done = {
    id: `resp_${newId()}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: body.model,
    status: 'completed',
    output,
    usage: counted,
  };
  if (!body.stream) return whole(response, done);
  const list = [{ type: 'response.created', response: { ...done, status: 'in_progress', output: [], usage: null } }];
  for (const [output_index, item] of output.entries()) {
    const of = { item_id: item.id, output_index };
    const open = { status: 'in_progress', ...(item.content ? { content: [] } : item.name ? { arguments: '' } : {}) };
    list.push({ type: 'response.output_item.added', output_index, item: { ...item, ...open } });
    if (/^(tool_search_|reasoning|custom_tool)/.test(item.type)) {
      list.push({ type: 'response.output_item.done', output_index, item });
      continue;
    }
    if (item.content) {
      const at = { ...of, content_index: 0 };
      list.push(
        { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
        { type: 'response.output_text.delta', ...at, delta: step.text },
        { type: 'response.output_text.done', ...at, text: step.text },
        { type: 'response.content_part.done', ...at, part: item.content[0] },
      );
    } else {
      list.push(
        { type: 'response.function_call_arguments.delta', ...of, delta: item.arguments },
        { type: 'response.function_call_arguments.done', ...of, arguments: item.arguments },
      );
    }
    list.push({ type: 'response.output_item.done', output_index, item });
  }
  list.push({ type: 'response.completed', response: done });
  events(
    response,
    list.map((each, sequence_number) => ({ ...each, sequence_number })),
  );
}
