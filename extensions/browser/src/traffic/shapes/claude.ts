// Copyright The ctx-lsp authors. MIT licence.

import type { Limit } from '../../messages';
import { bounded, events, type Facts, fields, json, listOf, type Message, picture, piece, textOf } from '../loaded';

const provider = 'anthropic';

/** Reads a response of claude.ai: a conversation with its branches, a streamed answer, or the account. */
export function read(body: string): Facts {
  if (/^(event|data|:)/.test(body)) return streamed(body);
  const whole = json(body);
  const answer = fields(whole);
  if (Array.isArray(answer.chat_messages)) return conversation(answer, textOf(answer.uuid));
  const refusal = fields(answer.error);
  if (refusal.message) return { conversation: null };
  return { conversation: null, plan: capabilities(whole) };
}

function conversation(answer: Record<string, unknown>, id: string): Facts {
  const messages = listOf(answer.chat_messages).map(message);
  const leaf = textOf(answer.current_leaf_message_uuid) || (messages[messages.length - 1]?.id ?? null);
  const loaded = bounded({ conversation: id, messages, leaf, whole: true });
  return { conversation: id, ...(loaded && { loaded }) };
}

function message(value: unknown): Message {
  const m = fields(value);
  const side = m.sender === 'human' ? 'user' : 'assistant';
  const out: Message = {
    id: textOf(m.uuid),
    parent: textOf(m.parent_message_uuid) || null,
    side,
    shown: '',
    items: [],
    files: 0,
    pictures: 0,
  };
  const blocks = listOf(m.content);
  for (const b of blocks) block(out, fields(b));
  if (blocks.length === 0 && textOf(m.text)) text(out, textOf(m.text));
  for (const a of listOf(m.attachments).map(fields)) {
    const extracted = textOf(a.extracted_content);
    if (extracted) out.items.push(piece('user', extracted, textOf(a.file_name) || 'attachment'));
    else out.files++;
  }
  const files = listOf(m.files_v2).length > 0 ? listOf(m.files_v2) : listOf(m.files);
  for (const f of files.map(fields)) {
    const asset = fields(f.preview_asset);
    if (f.file_kind === 'image') out.items.push(picture(asset.image_width, asset.image_height));
    else out.files++;
  }
  return out;
}

function text(out: Message, words: string): void {
  out.shown += (out.shown && '\n') + words;
  out.items.push(piece(out.side, words));
}

/** Reads a block of a message. Text in a block of unknown kind counts as a tool result. */
function block(out: Message, b: Record<string, unknown>): void {
  if (b.type === 'text') text(out, textOf(b.text));
  else if (b.type === 'thinking') out.items.push(piece('reasoning', textOf(b.thinking)));
  else if (b.type === 'tool_use' || b.type === 'server_tool_use')
    out.items.push(piece('toolCalls', `${textOf(b.name)} ${JSON.stringify(b.input ?? {})}`));
  else if (b.type === 'tool_result' || b.content !== undefined) out.items.push(piece('toolResults', inner(b.content)));
}

function inner(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(fields)
    .map((c) => textOf(c.text) || (c.type === 'text' ? '' : JSON.stringify(c)))
    .join('\n');
}

function streamed(body: string): Facts {
  const blocks = new Map<number, Record<string, unknown>>();
  const out: Facts = { conversation: null };
  const usage: NonNullable<Facts['usage']> = [];
  for (const e of events(body)) {
    const index = Number(e.index);
    if (e.type === 'content_block_start') blocks.set(index, { ...fields(e.content_block) });
    else if (e.type === 'content_block_delta') extend(blocks.get(index), fields(e.delta));
    else if (e.type === 'message_limit') out.limits = limits(fields(e.message_limit));
    else if (e.type === 'message_start' && fields(e.message).usage) usage.push({ provider, usage: e });
    else if (e.type === 'message_delta' && e.usage) usage.push({ provider, usage: e });
  }
  const answer: Message = { id: '', parent: null, side: 'assistant', shown: '', items: [], files: 0, pictures: 0 };
  for (const b of blocks.values()) {
    if (typeof b.partial === 'string') b.input = json(b.partial) ?? b.partial;
    block(answer, b);
  }
  if (answer.items.length > 0) out.answer = { shown: answer.shown, items: answer.items };
  if (usage.length > 0) out.usage = usage;
  return out;
}

function extend(b: Record<string, unknown> | undefined, delta: Record<string, unknown>): void {
  if (!b) return;
  for (const [from, to] of [
    ['text', 'text'],
    ['thinking', 'thinking'],
    ['partial_json', 'partial'],
  ] as const)
    if (typeof delta[from] === 'string') b[to] = textOf(b[to]) + delta[from];
}

/** Returns the limits in a streamed answer, of five hours and seven days. */
function limits(m: Record<string, unknown>): Limit[] {
  return Object.entries(fields(m.windows)).flatMap(([window, value]) => {
    const { utilization, resets_at: resets } = fields(value);
    if (typeof utilization !== 'number' || !(utilization >= 0 && utilization <= 100)) return [];
    return {
      window: window.slice(0, 20),
      used: Math.round(utilization <= 1 ? utilization * 100 : utilization),
      resets: typeof resets === 'number' && resets > 0 && resets < 1e11 ? resets * 1000 : null,
    };
  });
}

/** Returns names of capabilities anywhere in a response about the account, such as `claude_pro` and `claude_max`. */
function capabilities(answer: unknown): string[] {
  const found = new Set<string>();
  const open: unknown[] = [answer];
  for (let n = 0; n < 20_000 && open.length > 0; n++) {
    const at = open.pop();
    if (Array.isArray(at)) open.push(...at.slice(0, 1000));
    else if (typeof at === 'object' && at !== null)
      for (const [key, value] of Object.entries(at)) {
        if (key === 'capabilities') for (const c of listOf(value)) if (typeof c === 'string') found.add(c.slice(0, 40));
        if (typeof value === 'object') open.push(value);
      }
  }
  return [...found].filter((c) => /^(claude_|raven)/.test(c)).slice(0, 10);
}
