// Copyright The ctx-lsp authors. MIT licence.

import { events, type Facts, fields, json, listOf, piece, textOf } from '../loaded';

/** An answer that is assembled from its chunks. */
interface Answer {
  text: string;
  reasoning: string;
  calls: Map<number, { name: string; input: string }>;
  usage: Record<string, unknown>;
  timings: Record<string, unknown>;
  model: string;
}

/**
 * Reads a response of a server with OpenAI's API: chat completions and responses, streamed or whole, with the additions
 * of llama.cpp (`timings`, `/props`) and LM Studio (`stats`, lists of loaded models); and lists of models.
 */
export function read(body: string, named: Record<string, string>): Facts {
  const whole = fields(json(body));
  const settings = fields(whole.default_generation_settings);
  if (isWindow(settings.n_ctx)) return { conversation: null, windows: { [modelIn(named)]: settings.n_ctx } };
  const list = [...listOf(whole.data), ...listOf(whole.models)];
  if (list.length > 0) return { conversation: null, windows: windows(list) };
  const answer: Answer = { text: '', reasoning: '', calls: new Map(), usage: {}, timings: {}, model: '' };
  for (const e of body.startsWith('{') ? [whole] : events(body)) take(answer, e);
  return facts(answer, fields(whole.model_info).context_length);
}

/** Returns the model in the request for `/props`, for servers with several; empty if it names none. */
function modelIn(named: Record<string, string>): string {
  try {
    return decodeURIComponent(named.model ?? '').toLowerCase();
  } catch {
    return '';
  }
}

function take(answer: Answer, e: Record<string, unknown>): void {
  // A stream of /v1/responses ends with the complete response, and LM Studio's own with its result.
  const response = fields(e.response).output ? fields(e.response) : fields(e.result).output ? fields(e.result) : e;
  const output = listOf(response.output).map(fields);
  if (output.length > 0) {
    Object.assign(answer, { text: '', reasoning: '', calls: new Map() });
    for (const o of output) piecesOf(answer, o);
  } else if (e.type === 'response.output_text.delta') answer.text += textOf(e.delta);
  for (const c of listOf(e.choices).map(fields)) {
    if (Number(c.index ?? 0) !== 0) continue;
    const message = fields(c.delta ?? c.message);
    answer.text += textOf(message.content);
    answer.reasoning += textOf(message.reasoning_content) || textOf(message.reasoning);
    for (const [i, call] of listOf(message.tool_calls).map(fields).entries()) {
      const at = typeof call.index === 'number' ? call.index : i;
      const f = fields(call.function);
      const old = answer.calls.get(at) ?? { name: '', input: '' };
      answer.calls.set(at, { name: old.name + textOf(f.name), input: old.input + textOf(f.arguments) });
    }
  }
  if (isCount(fields(response.usage).prompt_tokens) || isCount(fields(response.usage).input_tokens))
    answer.usage = fields(response.usage);
  else if (isCount(fields(response.stats).input_tokens)) {
    const { input_tokens, total_output_tokens: output_tokens } = fields(response.stats);
    answer.usage = { input_tokens, output_tokens };
  }
  if (isCount(fields(e.timings).prompt_n)) answer.timings = fields(e.timings);
  answer.model = textOf(response.model) || textOf(response.model_instance_id) || answer.model;
}

function piecesOf(answer: Answer, o: Record<string, unknown>): void {
  const text = typeof o.content === 'string' ? o.content : textsOf(o.content);
  if (o.type === 'message') answer.text += text;
  else if (o.type === 'reasoning') answer.reasoning += text || textsOf(o.summary);
  else if (o.type === 'function_call')
    answer.calls.set(answer.calls.size, { name: textOf(o.name), input: textOf(o.arguments) });
}

const textsOf = (parts: unknown): string =>
  listOf(parts)
    .map((p) => textOf(fields(p).text))
    .join('');

function facts({ text, reasoning, calls, usage, timings, model }: Answer, context: unknown): Facts {
  const items = [
    ...(reasoning ? [piece('reasoning', reasoning)] : []),
    ...[...calls.values()].slice(0, 200).map((c) => piece('toolCalls', `${c.name} ${c.input}`)),
    ...(text ? [piece('assistant', text)] : []),
  ];
  const measured = Object.keys(usage).length > 0 ? { provider: 'openai', usage } : timed(timings);
  return {
    conversation: null,
    ...(items.length > 0 && { answer: { shown: text, items } }),
    ...(measured && { usage: [measured], measuredWith: text }),
    ...(model && { model }),
    ...(isWindow(context) && { windows: { [model.toLowerCase()]: context } }),
  };
}

/**
 * Returns the prompt size from llama.cpp's timings: the cached part and the part that was processed. Null if there is
 * none.
 */
function timed({ cache_n: kept, prompt_n: read, predicted_n: out }: Record<string, unknown>): {
  provider: string;
  usage: object;
} | null {
  if (!isCount(read)) return null;
  return { provider: 'ctx', usage: { in: read + (isCount(kept) ? kept : 0), out: isCount(out) ? out : 0 } };
}

/**
 * Returns the windows that models were loaded with. The length that a model was trained with or supports at most is not
 * its window.
 */
function windows(list: unknown[]): Record<string, number> {
  const out: Record<string, number> = {};
  for (const m of list.slice(0, 500).map(fields)) {
    const inner = fields(m.openai);
    const loaded = fields(fields(listOf(m.loaded_instances)[0]).config);
    const candidates = [
      fields(fields(m.info).params).num_ctx,
      m.loaded_context_length,
      loaded.context_length,
      fields(m.meta).n_ctx,
      m.max_model_len,
      inner.max_model_len,
      fields(inner.meta).n_ctx,
      m.context_length,
      inner.context_length,
    ].find(isWindow);
    const id = textOf(m.id) || textOf(m.key);
    if (id && candidates !== undefined) out[id.slice(0, 200).toLowerCase()] = candidates;
  }
  return out;
}

const isCount = (n: unknown): n is number => Number.isInteger(n) && (n as number) >= 0 && (n as number) <= 1e9;
const isWindow = (n: unknown): n is number => Number.isInteger(n) && (n as number) >= 256 && (n as number) <= 2e7;
