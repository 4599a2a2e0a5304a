// Copyright The ctx-lsp authors. MIT licence.

// The sites' own answers, in the shapes that public exporters and their fixtures show. They are written by hand, and
// hold no conversation of anybody.

/** Returns a conversation of n different messages. */
export const talkOf = (n) =>
  Array.from({ length: n }, (_, i) => [
    i % 2 ? 'assistant' : 'user',
    `Message ${i} speaks of ${['apples', 'rivers', 'engines', 'music', 'glass'][i % 5]}, which is number ${i * 7}. ${`The word${i} is said ${i + 2} times. `.repeat(1 + (i % 4))}`.trim(),
  ]);

/** What claude.ai answers for a conversation. `more` adds to messages by their index. */
export function claudeTree(id, talk, more = {}) {
  const root = '00000000-0000-4000-8000-000000000000';
  const chat_messages = talk.map(([side, text], index) => {
    const { thinking, tool, result, attachment, file } = more[index] ?? {};
    return {
      uuid: `m-${index}`,
      text: '',
      content: [
        ...(thinking ? [{ type: 'thinking', thinking, summaries: [] }] : []),
        ...(tool ? [{ type: 'tool_use', name: tool[0], input: tool[1] }] : []),
        ...(result ? [{ type: 'tool_result', content: [{ type: 'text', text: result }] }] : []),
        { type: 'text', text, citations: [] },
      ],
      sender: side === 'user' ? 'human' : 'assistant',
      index,
      attachments: attachment ? [{ file_name: attachment[0], extracted_content: attachment[1] }] : [],
      files: file ? [{ file_kind: 'document', file_name: 'report.pdf' }] : [],
      files_v2: [],
      parent_message_uuid: index === 0 ? root : `m-${index - 1}`,
    };
  });
  return { uuid: id, name: 'A talk', chat_messages, current_leaf_message_uuid: `m-${talk.length - 1}` };
}

/** What chatgpt.com answers for a conversation, with a second answer to the message at `fork`, and hidden messages. */
export function chatgptTree(conversation_id, talk, { fork = null, hidden = false } = {}) {
  const mapping = { root: { id: 'root', message: null, parent: null, children: [] } };
  let parent = 'root';
  const add = (id, role, content, more = {}, at = parent) => {
    mapping[id] = {
      id,
      parent: at,
      children: [],
      message: { id, author: { role }, recipient: 'all', metadata: {}, content, ...more },
    };
    mapping[at].children.push(id);
    return id;
  };
  const text = (t) => ({ content_type: 'text', parts: [t] });
  if (hidden) {
    parent = add('sys', 'system', text(''), { metadata: { is_visually_hidden_from_conversation: true } });
    parent = add('mem', 'assistant', { content_type: 'model_editable_context', model_set_context: 'Likes tea.' });
  }
  const main = talk.map(([side, said], i) => {
    if (hidden && i === 3) {
      parent = add('thought', 'assistant', {
        content_type: 'thoughts',
        thoughts: [{ summary: 'Sums', content: 'Six times seven.' }],
      });
      parent = add('call', 'assistant', { content_type: 'code', text: '6*7' }, { recipient: 'python' });
      parent = add('ran', 'tool', { content_type: 'execution_output', text: '42' });
    }
    parent = add(`id-${i}`, side, text(said), side === 'assistant' ? { metadata: { model_slug: 'gpt-5-5' } } : {});
    return parent;
  });
  let other = null;
  if (fork !== null)
    other = add('fork', 'assistant', text('The other answer, of quite another kind.'), {}, `id-${fork}`);
  return { tree: { title: 'A talk', mapping, current_node: parent, conversation_id }, ids: { main, other } };
}

/** What gemini.google.com answers when it opens a conversation: the newest turn first. */
export function geminiFrames(id, talk, token) {
  const turns = [];
  for (let i = 0; i < talk.length; i += 2)
    turns.unshift([
      [`c_${id}`, `r_${i}`],
      null,
      [[talk[i][1]]],
      [[[`rc_${i}`, [talk[i + 1]?.[1] ?? '']]]],
      [1_780_000_000 + i, 0],
    ]);
  const line = JSON.stringify([['wrb.fr', 'hNvQHb', JSON.stringify([turns, token]), null, null, null, 'generic']]);
  return `)]}'\n\n${line.length}\n${line}\n25\n[["e",4,null,null,132]]\n`;
}
