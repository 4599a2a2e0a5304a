// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';

test('the types are a package that npm packs, and that compiles in an empty project, strictly', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-types-'));
  try {
    const folder = path.join(root, 'package');
    execFileSync(process.execPath, ['types.mjs', folder]);
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', root], {
      cwd: folder,
      encoding: 'utf8',
    });
    const project = path.join(root, 'project');
    fs.mkdirSync(project);
    fs.writeFileSync(path.join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
    // The editor's own types come from here, so that the test needs no network.
    execFileSync(
      'npm',
      [
        'install',
        '--offline',
        '--no-audit',
        '--no-fund',
        '--silent',
        path.join(root, packed.trim()),
        path.resolve('node_modules/@types/vscode'),
      ],
      { cwd: project },
    );
    fs.writeFileSync(
      path.join(project, 'use.ts'),
      `import * as vscode from 'vscode';
import type { CtxApi, Reading } from '@ctx-lsp/vscode';

export async function use(): Promise<string> {
  const api = await vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp')?.activate();
  const session = await api?.open({ model: 'gpt-5.5', rule: { percent: 80 } });
  await session?.append({ kind: 'user', text: 'x' });
  api?.onDidChangeFront((front: Reading | undefined) => front?.display.percent);
  const largest: Reading | undefined = api?.sessions[0];
  // @ts-expect-error a kind that there is not
  await session?.append({ kind: 'toolCall', text: 'x' });
  return largest?.compaction.level ?? 'none';
}
`,
    );
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--module',
      'node16',
      '--types',
      '',
    ];
    const { status, stdout } = spawnSync(
      process.execPath,
      [path.resolve('node_modules/typescript/bin/tsc'), ...options, 'use.ts'],
      { cwd: project, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
});
