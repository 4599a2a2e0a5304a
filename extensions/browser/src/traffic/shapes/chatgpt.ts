// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../../messages';
import { bounded, events, type Facts, fields, json, listOf, type Message, picture, piece, textOf } from '../loaded';

/** Reads a response of chatgpt.com: a conversation with its branches, a streamed answer, the models, or the account. */
export function read(body: string): Facts {
  if (/^(event|data|:)/.test(body)) return streamed(body);
  const answer = fields(json(body));
  if (typeof answer.mapping === 'object') return conversation(answer);
  if (Array.isArray(answer.models)) return { conversation: null, windows: windows(answer.models) };
  return { conversation: null, plan: plans(answer) };
}

function conversation(answer: Record<string, unknown>): Facts {
  const id = textOf(answer.conversation_id) || textOf(answer.id);
  const messages: Message[] = [];
  for (const [key, value] of Object.entries(fields(answer.mapping))) {
    const node = fields(value);
    messages.push(message(key, textOf(node.parent) || null, fields(node.message)));
  }
  const loaded = bounded({ conversation: id, messages, leaf: textOf(answer.current_node) || null, whole: true });
  return { conversation: id || null, ...(loaded?.leaf && { loaded }) };
}

/** Reads a node of the tree. Many contain nothing that is sent or shown. */
function message(id: string, parent: string | null, m: Record<string, unknown>): Message {
  const role = textOf(fields(m.author).role);
  const metadata = fields(m.metadata);
  const recipient = textOf(m.recipient) || 'all';
  const side = role === 'user' ? 'user' : 'assistant';
  const out: Message = { id, parent, side, shown: '', items: [], files: 0, pictures: 0 };
  const kind: PageItem['kind'] =
    role === 'tool' ? 'toolResults' : role === 'system' ? 'system' : recipient !== 'all' ? 'toolCalls' : side;
  const text = content(out, kind, fields(m.content));
  if (kind === side && metadata.is_visually_hidden_from_conversation !== true) out.shown = text;
  for (const a of listOf(metadata.attachments).map(fields))
    if (!textOf(a.mime_type || a.mimeType).startsWith('image/')) out.files++;
  return out;
}

/** Adds the items of a content, and returns the text that a page shows for it. */
function content(out: Message, kind: PageItem['kind'], c: Record<string, unknown>): string {
  const add = (k: PageItem['kind'], text: string): void => {
    if (text) out.items.push(piece(k, text));
  };
  switch (c.content_type) {
    case 'text':
    case 'multimodal_text': {
      const texts: string[] = [];
      for (const part of listOf(c.parts)) {
        if (typeof part === 'string') texts.push(part);
        const p = fields(part);
        if (p.content_type === 'image_asset_pointer') out.items.push(picture(p.width, p.height));
        else if (textOf(p.text)) texts.push(textOf(p.text));
      }
      const text = texts.join('\n');
      add(kind, text);
      return text;
    }
    case 'thoughts':
      add(
        'reasoning',
        listOf(c.thoughts)
          .map(fields)
          .map((t) => [textOf(t.summary), textOf(t.content)].filter(Boolean).join('\n'))
          .join('\n'),
      );
      return '';
    case 'reasoning_recap':
      return '';
    case 'user_editable_context':
      add('system', [textOf(c.user_profile), textOf(c.user_instructions)].filter(Boolean).join('\n'));
      return '';
    case 'model_editable_context':
      add('memory', textOf(c.model_set_context));
      return '';
    default:
      // Code for a tool, its output, or a page that was read: they contain text, a result or both.
      add(kind === 'assistant' ? 'toolCalls' : kind, textOf(c.text) || textOf(c.result));
      return '';
  }
}

/** Reads a stream: a message, followed by changes at paths in it. A change without a path continues at the last one. */
function streamed(body: string): Facts {
  const out: Facts = { conversation: null };
  const messages: Message[] = [];
  let message_: Record<string, unknown> | null = null;
  let path = '';
  const done = (): void => {
    if (message_) messages.push(message(textOf(message_.id), null, message_));
    message_ = null;
  };
  const change = (p: string, o: unknown, v: unknown): void => {
    const whole = fields(fields(v).message);
    if (p === '' && whole.id) {
      done();
      message_ = whole;
      out.conversation ??= textOf(fields(v).conversation_id) || null;
      return;
    }
    const c = fields(message_?.content);
    const at = /^\/message\/content\/(?:parts\/(\d{1,3})|(text))$/.exec(p);
    if (!message_ || !at || typeof v !== 'string') return;
    const parts = listOf(c.parts);
    const old = at[2] ? textOf(c.text) : textOf(parts[Number(at[1])]);
    const now = o === 'append' || o === undefined ? old + v : v;
    if (at[2]) c.text = now;
    else if (Number(at[1]) <= parts.length) parts[Number(at[1])] = now;
  };
  for (const e of events(body)) {
    out.conversation ??= textOf(e.conversation_id) || null;
    if (typeof e.p === 'string') path = e.p;
    else if (fields(e.v).message) path = '';
    if (e.o === 'patch' && Array.isArray(e.v))
      for (const piece of e.v.map(fields)) change(textOf(piece.p), piece.o, piece.v);
    else if ('v' in e) change(path, e.o, e.v);
    else if (fields(e.message).id) change('', 'add', e);
  }
  done();
  const answers = messages.filter((s) => s.side === 'assistant');
  const items = answers.flatMap((s) => s.items);
  if (items.length > 0)
    out.answer = {
      shown: answers
        .map((s) => s.shown)
        .filter(Boolean)
        .join('\n'),
      items,
    };
  return out;
}

function windows(models: unknown[]): Record<string, number> {
  const out: Record<string, number> = {};
  for (const m of models.slice(0, 200).map(fields)) {
    const { slug, max_tokens: tokens } = m;
    if (typeof slug === 'string' && Number.isInteger(tokens) && (tokens as number) >= 4096 && (tokens as number) <= 1e7)
      out[slug.slice(0, 80)] = tokens as number;
  }
  return out;
}

/** Returns the plans of all accounts: the response does not identify the one in use. */
function plans(answer: Record<string, unknown>): string[] {
  const accounts = Object.values(fields(answer.accounts)).slice(0, 100);
  const all = accounts.map((a) => textOf(fields(fields(a).account).plan_type).slice(0, 40));
  return [...new Set(all.filter(Boolean))];
}
