// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import type { Reading } from '../../api/protocol';
import { type ForModelsHost, forModels } from '../../src/others/forModels';
import { reading } from '../reading';
import { chat, lm, Uri, workspace } from './vscode';

let folder: string;
let shown: Reading | undefined;
let program: string | undefined = '/bin/ctx-lsp';
let host: ForModelsHost;
const asked: { method: string; params: { parts?: { label: string }[] } }[] = [];

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-models-'));
  fs.writeFileSync(path.join(folder, 'a.ts'), 'export {};');
  workspace.workspaceFolders = [{ uri: Uri.file(folder) }];
  host = {
    call: (method: string, params: object) => {
      asked.push({ method, params });
      return Promise.resolve(
        method === 'ctx/session/fits'
          ? { text: '9k → 81% of the threshold', parts: [{ label: 'a.ts', tokens: 9000 }] }
          : {
              items: [{ label: { text: 'Read src/api.go' }, kind: 'toolResults', tokens: 31_000, basis: 'counted' }],
              total: 1,
            },
      );
    },
    reading: () => shown,
    absence: () => 'No agent has worked here yet.',
    program: () => program,
    version: '1.2.3',
    log: { info: assert.fail },
  } as unknown as ForModelsHost;
  forModels(host, '1.101.0');
});
after(() => {
  workspace.workspaceFolders = [];
  fs.rmSync(folder, { recursive: true });
});

const invoke = async (name: string, input: object): Promise<string> =>
  (await lm.tools.get(name)?.invoke({ input }))?.parts.map((p) => p.text).join('') ?? '';

/** Asks the participant, and answers what it says and which buttons it has. */
async function ask(command: string | undefined, prompt = '', references: object[] = []): Promise<string[]> {
  const said: string[] = [];
  const stream = {
    markdown: (text: string) => said.push(text),
    button: (b: { command: string }) => said.push(b.command),
  };
  await chat.handlers.get('ctx.chat')?.({ command, prompt, references }, {}, stream);
  return said;
}

test('tools for models report how full the window is and whether files fit, or why there is no session', async () => {
  shown = undefined;
  assert.equal(await invoke('ctx_window', {}), 'No agent has worked here yet.');
  assert.equal(await invoke('ctx_fits', { paths: ['a.ts'] }), 'No agent has worked here yet.');
  shown = reading();
  assert.match(
    await invoke('ctx_window', {}),
    /Used: 124,000 of 200,000 tokens \(62%\)[\s\S]*- Read src\/api\.go: 31,000/,
  );
  assert.equal(await invoke('ctx_fits', { paths: ['a.ts'] }), '9k → 81% of the threshold\n- a.ts: 9000');
  assert.deepEqual(
    asked.at(-1)?.params.parts?.map((p) => p.label),
    ['a.ts'],
  );
  const before = asked.length;
  assert.match(await invoke('ctx_fits', { paths: ['../secret', 7] }), /must list files or folders relative/);
  assert.equal(asked.length, before, 'nothing outside of the workspace is read');
});

test('@ctx answers a question about the window, and one about files that are named or attached', async () => {
  shown = undefined;
  assert.deepEqual(await ask(undefined), ['No agent has worked here yet.'], 'and has no button to nowhere');
  shown = reading();
  const [window, button] = await ask(undefined, 'how full are you?');
  assert.match(window ?? '', /About 6 requests until it compacts/);
  assert.equal(button, 'ctx.showPanel');
  assert.match((await ask('fits', 'a.ts'))[0] ?? '', /^9k → 81% of the threshold/);
  assert.equal(
    (await ask('fits', '', [{ value: Uri.file(path.join(folder, 'a.ts')) }]))[0],
    '9k → 81% of the threshold',
  );
});

test('the MCP server is the daemon’s program in this workspace, and is not offered without it or without trust', () => {
  const offered = (): unknown[] =>
    lm.servers[0]?.provideMcpServerDefinitions().map((d) => [d.command, ...d.args]) ?? [];
  assert.deepEqual(offered(), [['/bin/ctx-lsp', 'mcp', `--workspace=${folder}`]]);
  workspace.isTrusted = false;
  assert.deepEqual(offered(), []);
  workspace.isTrusted = true;
  program = undefined;
  assert.deepEqual(offered(), []);
});

test('an editor that keeps MCP servers for itself is not asked, so that its log has no refusal', () => {
  const before = lm.servers.length;
  forModels(host, '1.100.3');
  assert.equal(lm.servers.length, before);
  forModels(host, '1.139.1');
  assert.equal(lm.servers.length, before + 1);
});
