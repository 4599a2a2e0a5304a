// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../../messages';
import { bounded, events, type Facts, fields, json, listOf, type Message, piece, textOf } from '../loaded';

/** Reads a response of LibreChat: the messages of a conversation with their branches, or a streamed answer. */
export function read(body: string): Facts {
  if (/^(event|data|:)/.test(body)) return streamed(body);
  const whole = json(body);
  const list = listOf(Array.isArray(whole) ? whole : fields(whole).messages).map(fields);
  const conversation = textOf(list[0]?.conversationId);
  const all = list.filter((m) => textOf(m.conversationId) === conversation);
  const messages = all.map(message);
  const leaf = messages.at(-1)?.id ?? null;
  // A list of messages with a cursor to more is incomplete.
  const loaded = bounded({ conversation, messages, leaf, whole: !fields(whole).nextCursor });
  const model = textOf(all.filter((m) => m.isCreatedByUser !== true).at(-1)?.model);
  if (!conversation || !loaded) return { conversation: null };
  return { conversation, loaded, ...(model && { model }) };
}

/** Reads a stream, which ends with the question and the answer as the server stores them. */
function streamed(body: string): Facts {
  const last = events(body)
    .filter((e) => e.final === true)
    .at(-1);
  const response = fields(last?.responseMessage);
  if (!last || Object.keys(response).length === 0) return { conversation: null };
  const { items, shown } = message(response);
  const conversation = textOf(response.conversationId) || textOf(fields(last.conversation).conversationId);
  const model = textOf(response.model) || textOf(fields(last.conversation).model);
  return { conversation: conversation || null, answer: { shown, items }, ...(model && { model }) };
}

function message(m: Record<string, unknown>): Message {
  const side = m.isCreatedByUser === true ? 'user' : 'assistant';
  const items: PageItem[] = [];
  const texts: string[] = [];
  const add = (kind: PageItem['kind'], text: string): void => {
    if (text) items.push(piece(kind, text));
  };
  for (const part of listOf(m.content).map(fields)) {
    const text = part.type === 'text' ? wordsIn(part.text) : '';
    if (text) texts.push(text);
    add(side, text);
    if (part.type === 'think') add('reasoning', wordsIn(part.think));
    const call = fields(part.tool_call);
    if (part.type !== 'tool_call') continue;
    const input = typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {});
    add('toolCalls', `${textOf(call.name)} ${input}`);
    add('toolResults', textOf(call.output));
  }
  if (texts.length === 0 && textOf(m.text)) {
    const thought = /:::thinking([\s\S]*?):::/.exec(textOf(m.text));
    add('reasoning', thought?.[1]?.trim() ?? '');
    texts.push(
      textOf(m.text)
        .replace(/:::thinking[\s\S]*?:::/, '')
        .trim(),
    );
    add(side, texts[0]!);
  }
  const files = listOf(m.files).map(fields);
  const images = files.filter((f) => textOf(f.type).startsWith('image/')).length;
  return {
    id: textOf(m.messageId),
    parent: textOf(m.parentMessageId) || null,
    side,
    shown: texts.join('\n'),
    items,
    files: files.length - images,
    pictures: images,
  };
}

const wordsIn = (text: unknown): string => textOf(text) || textOf(fields(text).value);
