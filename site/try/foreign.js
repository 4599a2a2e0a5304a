// Copyright The ctx-lsp authors. MIT licence.

// Sessions that the program reads and the module does not. Their readers would make the module twice as large; here is
// no more than how to tell them, so that the page can say whose file it was. The readers are core/agent/*_lines.go.

const object = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const text = (v) => typeof v === 'string' && v !== '';
const has = (v, key) => object(v) && key in v;

/** Each agent by what one of its records looks like; the stricter tests first. */
const lines = [
  ['pi', (r) => r.type === 'session' && has(r, 'timestamp') && text(r.id) && has(r, 'cwd')],
  ['pi', (r) => r.type === 'model_change' && has(r, 'timestamp') && has(r, 'modelId')],
  ['dsh', (r) => r.type === 'session' && has(r, 'createdAt') && has(r, 'cwd')],
  ['dsh', (r) => text(r.type) && object(r.data) && ((has(r, 'seq') && r.type.indexOf('/') > 0) || has(r, 'seq0'))],
  ['kimi-code', (r) => r.type === 'metadata' && has(r, 'protocol_version') && has(r, 'created_at')],
  ['kimi-code', (r) => typeof r.time === 'number' && text(r.type) && r.type.indexOf('.') > 0],
  ['kimi-cli', (r) => r.type === 'metadata' && has(r, 'protocol_version')],
  ['kimi-cli', (r) => typeof r.timestamp === 'number' && has(r.message, 'type') && has(r.message, 'payload')],
  ['droid', (r) => r.type === 'session_start' && has(r, 'cwd')],
  ['droid', (r) => (r.type === 'todo_state' || r.type === 'compaction_state') && has(r, 'id')],
  ['kiro', (r) => object(r.data) && ['Prompt', 'AssistantMessage', 'ToolResults'].includes(r.kind)],
  ['kiro', (r) => has(r, 'id') && !has(r, 'type') && object(r.payload) && kiroEvents.has(r.payload.type)],
  ['continue', (r) => Array.isArray(r.history) && has(r, 'workspaceDirectory') && has(r, 'sessionId')],
  ['continue', (r) => Array.isArray(r.contextItems) && has(r.message, 'role')],
  ['vibe', (r) => has(r, 'role') && has(r, 'message_id')],
  [
    'droid',
    (r) =>
      r.type === 'message' &&
      text(r.id) &&
      has(r.message, 'role') &&
      !has(r.message, 'timestamp') &&
      !has(r, 'sessionId'),
  ],
  [
    'cursor',
    (r) => ['user', 'assistant'].includes(r.role) && has(r.message, 'content') && !has(r, 'type') && !has(r, 'uuid'),
  ],
  ['grok', (r) => !['timestamp', 'uuid', 'message', 'ts'].some((key) => has(r, key)) && isGrok(r)],
];

/** The events of Kiro's editor; its program for terminals writes others. */
const kiroEvents = new Set([
  'user',
  'assistant',
  'tool_call',
  'tool_result',
  'turn_start',
  'turn_end',
  'session_start',
  'session_metadata',
]);

function isGrok(r) {
  switch (r.type) {
    case 'system':
    case 'user':
      return has(r, 'content') && !has(r, 'id');
    case 'assistant':
      return has(r, 'content') && (has(r, 'model_id') || has(r, 'tool_calls'));
    case 'reasoning':
      return Array.isArray(r.summary);
    case 'tool_result':
      return has(r, 'tool_call_id');
    default:
      return r.type === 'backend_tool_call' && has(r, 'kind');
  }
}

/** The id of the agent that wrote the record and is read by the program alone; undefined for anybody else's. */
export function foreign(record) {
  return object(record) ? lines.find(([, is]) => is(record))?.[0] : undefined;
}

const begins = (bytes, ...start) => start.every((c, i) => bytes[i] === c);

/** What a file is whose first bytes are no text, in a sentence; undefined for one that may be a transcript. */
export function notText(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 16));
  if (start.startsWith('SQLite format 3')) {
    return 'This is a database. OpenCode, Cursor, Goose, Zed, Crush and others keep their sessions so; they are read by the program, not here.';
  }
  if (begins(bytes, 0x28, 0xb5, 0x2f, 0xfd)) {
    return 'This file is compressed by zstd. The program reads it as it is; here, unpack it first: zstd -d FILE.';
  }
  if (begins(bytes, 0x1f, 0x8b)) {
    return 'This file is compressed by gzip. Unpack it first: gunzip FILE.';
  }
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    return 'This is a zip archive. Drop a transcript out of it.';
  }
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff)) {
    return 'This text is UTF-16. Transcripts are UTF-8: was it copied by an editor?';
  }
  const sample = bytes.subarray(0, 4096);
  if (sample.filter((c) => c === 0 || (c < 9 && c > 0)).length > sample.length / 50) {
    return 'This is no text, so it is no transcript.';
  }
  return undefined;
}
