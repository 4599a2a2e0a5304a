// Copyright The ctx-lsp authors. MIT licence.

import { bounded, events, type Facts, fields, json, listOf, type Message, piece, textOf } from '../loaded';

/** Reads a response of chat.deepseek.com: the messages of a conversation, or a streamed answer with its token count. */
export function read(body: string): Facts {
  const counts: number[] = [];
  const count = (n: unknown): void => {
    if (Number.isInteger(n) && (n as number) > 0) counts.push(n as number);
  };
  const answer = fields(fields(fields(json(body)).data).biz_data);
  const messages = listOf(answer.chat_messages).map(fields);
  for (const m of messages) count(m.accumulated_token_usage);
  for (const e of events(body)) {
    count(fields(fields(e.v).response).accumulated_token_usage);
    for (const change of [e, ...listOf(e.v).map(fields)])
      if (textOf(change.p).endsWith('accumulated_token_usage')) count(change.v);
  }
  const session = fields(answer.chat_session);
  const id = textOf(session.id) || null;
  const loadedMessages = messages.map(message);
  const leaf = String(session.current_message_id ?? loadedMessages[loadedMessages.length - 1]?.id ?? '');
  const loaded = bounded({ conversation: id ?? '', messages: loadedMessages, leaf, whole: true });
  // Each count covers the whole conversation after an answer, so the largest is the newest; a sum would be meaningless.
  const most = Math.max(0, ...counts);
  return {
    conversation: id,
    ...(loaded && { loaded }),
    ...(most > 0 && { usage: [{ provider: 'ctx', usage: { in: most, out: 0 }, whole: true }] }),
  };
}

function message(m: Record<string, unknown>): Message {
  const side = m.role === 'USER' ? 'user' : 'assistant';
  const of = (...kinds: string[]): string =>
    listOf(m.fragments)
      .map(fields)
      .filter((f) => kinds.includes(textOf(f.type)))
      .map((f) => textOf(f.content))
      .join('\n');
  const shown = textOf(m.content) || of('REQUEST', 'RESPONSE');
  const thinking = textOf(m.thinking_content) || of('THINK');
  return {
    id: String(m.message_id ?? ''),
    parent: m.parent_id === null || m.parent_id === undefined ? null : String(m.parent_id),
    side,
    shown,
    items: [...(thinking ? [piece('reasoning', thinking)] : []), piece(side, shown)],
    files: listOf(m.files).length,
    pictures: 0,
  };
}
