// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

let editor: Editor;

before(async () => {
  editor = await Editor.open({
    vsix: must('CTX_TEST_VSIX'),
    files: {
      'notes.md': 'One line.\nAnother line, which is longer than the first one.\n',
      'app/main.ts': 'export const answer = 42;\n'.repeat(1200),
      'app/package-lock.json': JSON.stringify(Array.from({ length: 4000 }, (_, i) => ({ id: i, name: `thing ${i}` }))),
    },
  });
  const transcript = new Transcript(path.join(editor.home, '.claude'), editor.workspace);
  transcript.title('Add retries').requests(100_000, 112_000, 124_000);
  await editor.statusText(/^62%/, 60_000);
});
after(() => editor?.close());

const toast = (text: string | RegExp) =>
  editor.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
const entry = (name: string) =>
  editor.page
    .locator('.explorer-folders-view .monaco-list-row')
    .filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
    .first();

/** The tokens in the answer that is shown, which goes away. */
async function answered(form: RegExp): Promise<number> {
  await toast(form).first().waitFor();
  const text = (await toast(form).first().innerText()).replaceAll('\u00a0', ' ');
  await editor.command('Notifications: Clear All Notifications');
  await toast(form).first().waitFor({ state: 'detached' });
  return Number(/: ~?(\d+) →/.exec(text)?.[1]);
}

test('a selection is asked about, and not the rest of its file', async () => {
  await editor.openFile('notes.md');
  await editor.page.locator('.monaco-editor .view-lines').first().click();
  await editor.page.keyboard.press('Control+Home');
  await editor.page.keyboard.press('Shift+End');
  await editor.command('Ctx: Will It Fit?');
  const selected = await answered(/Add retries — Claude Code: ~?\d+ → 74% of the threshold/);
  await editor.page.keyboard.press('Escape');
  await editor.page.keyboard.press('Control+End');
  await editor.command('Ctx: Will It Fit?');
  const whole = await answered(/Add retries — Claude Code: ~?\d+ → 74% of the threshold/);
  assert.ok(selected > 0 && whole > 2 * selected, `${selected} of ${whole}`);
});

test('an entry of the Explorer shows when the agent would compact', async () => {
  await entry('notes.md').click({ button: 'right' });
  await editor.choose('Will It Fit?');
  assert.ok((await answered(/Add retries — Claude Code: ~?\d+ → 74% of the threshold, about \d+ requests? until/)) > 5);
});

test('a file and a folder dropped onto the view are checked', async () => {
  await editor.command('Ctx: Show Sessions and What Fills Them');
  const session = editor.page.locator('.monaco-list-row[role="treeitem"]').filter({ hasText: 'Add retries' });
  await session.waitFor();
  // The view has just opened: it takes nothing before its rows rest.
  await session.hover();
  // As the Explorer hands it over.
  const drop = async (name: string): Promise<void> => {
    const data = await editor.page.evaluateHandle(
      `(() => {
        const data = new DataTransfer();
        data.setData('text/uri-list', 'vscode-remote://${new URL(editor.page.url()).host}${editor.workspace}/${name}');
        return data;
      })()`,
    );
    const target = editor.page.locator('.monaco-list-row.drop-target, .monaco-list.drop-target').first();
    const send = async (event: string): Promise<void> => {
      const { x, y, height } = (await session.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      await session.dispatchEvent(event, { dataTransfer: data, clientX: x + 60, clientY: y + height / 2 });
    };
    // A browser repeats dragover as long as the pointer is over the row, which may be drawn again meanwhile. The tree
    // marks no row twice in one drag, so each attempt is a new one.
    do {
      await send('dragend');
      await send('dragenter');
      await send('dragover');
      await target.waitFor({ timeout: 2000 }).catch(() => {});
    } while (!(await target.isVisible()));
    await send('drop');
  };
  // The tree may be drawn again between dragover and drop, which loses the drop; a user would drop the file again.
  const dropped = async (name: string, shown: ReturnType<typeof entry>): Promise<void> => {
    do {
      await drop(name);
      await shown.waitFor({ timeout: 20_000 }).catch(() => {});
    } while (!(await shown.isVisible()));
  };
  const form = /Add retries — Claude Code: ~?\d+ → 74% of the threshold/;
  await dropped('notes.md', toast(form).first());
  assert.ok((await answered(form)) > 5);
  const title = editor.page.locator('.quick-input-title').filter({ hasText: 'package-lock.json' });
  await dropped('app', title);
  await editor.screenshot('fits-dropped');
  assert.match(
    await title.first().innerText(),
    /^~?[\d.]+k → \d+% of the threshold, compacts next turn; ~?[\d.]+k without (app\/)?package-lock\.json$/,
  );
  await editor.page.keyboard.press('Escape');
});
