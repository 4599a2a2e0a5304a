// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { realpath } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { findImport } from '../../src/promptFiles/imports';
import * as stub from './vscode';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-imports-')));
process.on('exit', () => fs.rmSync(root, { recursive: true, force: true }));
const at = (name: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
};
at('w/CLAUDE.md', '@x');
at('w/docs/style.md', 'Short sentences.');
at('secret/key.md', 'not for the counter');
fs.symlinkSync(path.join(root, 'secret/key.md'), path.join(root, 'w/linked.md'));
fs.symlinkSync(path.join(root, 'secret'), path.join(root, 'w/folder'));
fs.symlinkSync('docs/style.md', path.join(root, 'w/inside.md'));
stub.workspace.workspaceFolders = [{ uri: stub.Uri.file(path.join(root, 'w')) }];
const importer = stub.Uri.file(path.join(root, 'w/CLAUDE.md')) as unknown as vscode.Uri;

for (const [how, follow] of [
  ['where links can be followed', realpath],
  ['where they cannot', undefined],
] as const) {
  test(`no link leads an import out of the workspace, ${how}`, async () => {
    assert.deepEqual(await findImport('linked.md', importer, follow), { problem: 'outside' });
    assert.deepEqual(await findImport('folder/key.md', importer, follow), { problem: 'outside' });
    assert.deepEqual(await findImport('../secret/key.md', importer, follow), { problem: 'outside' });
    assert.deepEqual(await findImport('nowhere.md', importer, follow), { problem: 'missing' });
    const found = await findImport('docs/style.md', importer, follow);
    assert.ok('text' in found && found.text === 'Short sentences.');
  });
}

test('a link that stays inside the workspace is an import like any other', async () => {
  const found = await findImport('inside.md', importer, realpath);
  assert.ok('text' in found && found.text === 'Short sentences.');
});
