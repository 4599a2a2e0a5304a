// Copyright The ctx-lsp authors. MIT licence.

// Measures a request: a deterministic function of its whole body. `given` are texts whose kind the lab knows, because
// it wrote them (memory files, descriptions of skills); they are counted apart wherever an agent puts them.
import { createHash } from 'node:crypto';
import { sizeOfPicture } from '../picture.mjs';
import { frames } from './frames.mjs';
import { typescript } from './typescript.mjs';

const isMcp = (tool) => /lab_?tool/i.test(tool.name) || /^mcp/.test(tool.namespace ?? '');

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
// A section with the instructions of servers, from its heading to the line of the lab's server.
const section = /^# MCP [^\n]*\n(?:(?!# )[^\n]*\n)*?Lab server: [^\n]*/gm;

/**
 * Returns the texts that describe the MCP server, for models that have to search for tools: reminders with its
 * instructions or its tools, and its instructions outside of reminders.
 */
const listsOfServers = (text) => [
  ...(text.match(reminder) ?? []).filter(
    (each) => /Lab server:/.test(each) || (each.match(/Lab tool number \d/g)?.length ?? 0) >= 10,
  ),
  ...(text.replace(reminder, '').match(section) ?? []),
];

/** The tokens of an image by its size, as the providers describe them. */
const imageOf = {
  claude: (width, height) => Math.ceil((width * height) / 750),
  o200k: (width, height) => Math.ceil(Math.ceil(width / 32) * Math.ceil(height / 32) * 1.2),
  gemini: () => 1120,
  qwen: (width, height) => Math.ceil(width / 28) * Math.ceil(height / 28),
};
const tokensOfImages = (images, family) =>
  (images ?? []).reduce((sum, each) => sum + imageOf[family](...(sizeOfPicture(each) ?? [640, 480])), 0);

/** Returns the tokens of a request by kind, and the blocks in their order for the prompt cache. */
export async function sizeOf(request, family, count, given = []) {
  const frame = frames[family];
  const rows = {
    system: 0,
    tools: 0,
    mcpTools: 0,
    memory: 0,
    skills: 0,
    user: 0,
    text: 0,
    reasoning: 0,
    image: 0,
    call: 0,
    result: 0,
  };
  const blocks = [];
  const add = (kind, text, tokens, marked) => {
    rows[kind] += tokens;
    blocks.push({
      key: createHash('sha1')
        .update(kind + text)
        .digest('base64'),
      tokens,
      marked,
    });
  };
  for (const tool of request.tools) {
    const text = family === 'o200k' && tool.parameters && tool.text ? typescript(tool) : tool.text;
    const tokens = Math.round((await count(text)) * (tool.share ?? 1)) + (blocks.length === 0 ? frame.tools : 0);
    add(isMcp(tool) ? 'mcpTools' : 'tools', tool.text, tokens, false);
  }
  // A text of ours inside of another block is counted with its kind, and the rest of the block with the block's. If
  // most of the block is ours, the rest frames it: it is `around` it, and may be counted with either. `inside` has the
  // kinds that are inside another, which has them if they have no row.
  const around = {};
  const inside = {};
  const apart = async (text, tokens, kind) => {
    for (const { kind: of, text: known } of given) {
      if (!text.includes(known)) continue;
      const part = await count(known);
      rows[of] += part;
      rows[kind] -= part;
      if (part * 2 > tokens) around[of] = (around[of] ?? 0) + tokens - part;
      inside[kind] = { ...inside[kind], [of]: part };
    }
  };
  for (const { text, marked } of request.system) {
    const tokens = await count(text);
    add('system', text, tokens, marked);
    await apart(text, tokens, 'system');
  }
  for (const [i, item] of request.items.entries()) {
    let tokens = await count(item.text);
    rows.image += item.kind === 'image' ? 0 : tokensOfImages(item.images, family);
    if (item.kind === 'image') tokens = tokensOfImages(item.images, family);
    else if (item.kind === 'user' && item.images?.length && !item.text) tokens = 0;
    else if (item.kind === 'user') {
      if (item.role === 'system') tokens += frame.system;
      else if (item.opens !== false || family !== 'claude') tokens += frame.user;
    } else if (item.kind === 'system') tokens += item.part ? 0 : frame.system;
    else if (item.kind === 'mcpTools') tokens += frame.one;
    else if (item.kind === 'text') tokens += item.text ? frame.text : 0;
    else if (item.kind === 'reasoning')
      tokens += 0; // its tokens are those of the response that had it
    else if (item.kind === 'call') tokens += frame.call + frame.parameter * (item.parameters ?? 0);
    else {
      const follows = request.items[i - 1]?.kind === 'result';
      const alone = !follows && request.items[i + 1]?.kind !== 'result';
      tokens += alone ? frame.one : frame.each + (follows ? 0 : frame.several);
      if (item.failed) tokens += frame.error;
      if (family === 'o200k') tokens += await count(item.name);
    }
    add(item.kind, item.text ?? item.images[0].slice(-200), tokens, item.marked);
    if (item.kind === 'user' || item.kind === 'system') {
      await apart(item.text, tokens, item.kind);
      for (const list of listsOfServers(item.text)) {
        const part = await count(list);
        rows.mcpTools += part;
        rows[item.kind] -= part;
      }
    }
  }
  return { input: Object.values(rows).reduce((sum, n) => sum + n, 0), rows, around, inside, blocks };
}
