// Copyright The ctx-lsp authors. MIT licence.

// The figures that the extension promises, measured in the real workbench: `node test/run.mjs figures`. They are said,
// and nothing is asserted, because they hold on a quiet machine alone; the alarms stand in the tests.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, test } from 'node:test';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor | undefined;
afterEach(async () => {
  await editor?.close();
  editor = undefined;
});

const load = (): string => `load ${os.loadavg()[0]?.toFixed(1)}`;
const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
const median = (list: readonly number[]): number => sorted(list)[Math.floor(list.length / 2)] ?? Number.NaN;

test('activation, loading included, in ten starts', async (t) => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
  const times = (): number[] =>
    [...(editor as Editor).log().matchAll(/activated in \d+ ms, (\d+) ms of processor time/g)].map(([, ms]) =>
      Number(ms),
    );
  for (let start = 1; start <= 10; start++) {
    await editor.until(() => Promise.resolve(times().length >= start), `start ${start}`, 60_000);
    await editor.page.waitForTimeout(1500);
    if (start < 10) {
      await editor.reload();
    }
  }
  t.diagnostic(`milliseconds of processor time to activate: ${sorted(times()).join(' ')}; ${load()}`);
});

test('a Reading on the screen after the write', async (t) => {
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX') });
  const transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript.user('Begin.').assistant('Done.', { cached: 20_000, fresh: 1000, out: 100 });
  await editor.statusText(/^11%/);
  await editor.page.waitForTimeout(5000);
  await editor.watchStatus();
  const taken: number[] = [];
  for (let i = 1; i <= 30; i++) {
    const wrote = Date.now();
    transcript.user('Go on.').assistant('Done.', { cached: 20_000, fresh: 1000 + 2000 * i, out: 100 });
    taken.push((await editor.statusChangedAfter(wrote)) - wrote);
    await editor.page.waitForTimeout(400 + 37 * (i % 10));
  }
  t.diagnostic(`milliseconds from write to screen: ${sorted(taken).join(' ')}; median ${median(taken)}; ${load()}`);
});

for (const vsix of ['', must('CTX_TEST_VSIX')]) {
  test(`fifty sessions on the disk, ${vsix ? 'with' : 'without'} the extension, at rest`, async (t) => {
    const seconds = 40;
    editor = await Editor.open({ vsix: vsix || undefined });
    for (let i = 0; i < 50; i++) {
      const one = new Transcript(path.join(editor.home, '.claude'), editor.workspace).title(`Session ${i}`);
      one.user('Read.').tool('Read', { file_path: 'src/api.go' }).answer('package api\n'.repeat(4000));
      one.assistant('Done.', { cached: 40_000, fresh: 1000 * i, out: 100 });
    }
    if (vsix) {
      await editor.statusText(/^\d+%/, 120_000);
    }
    await editor.page.waitForTimeout(20_000);
    const before = editor.processorMs();
    await editor.page.waitForTimeout(seconds * 1000);
    const after = editor.processorMs();
    const share = (name: keyof typeof after): string =>
      `${(((after[name] - before[name]) / seconds / 1000) * 100).toFixed(2)} %`;
    const held = editor.memoryMb();
    t.diagnostic(
      `memory ${vsix ? 'with' : 'without'} the extension: daemon ${held.daemon.toFixed(0)} MB, extension host ${held.host.toFixed(0)} MB`,
    );
    t.diagnostic(
      `of a core at rest ${vsix ? 'with' : 'without'} the extension: daemon ${share('daemon')}, extension host ${share('host')}; ${load()}`,
    );
    fs.rmSync(path.join(editor.home, '.claude'), { recursive: true });
  });
}
