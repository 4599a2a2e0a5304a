import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { reading } from '../reading';
import { Editor, must } from './editor';
import { fileURLToPath } from 'node:url';

const dir = fs.mkdtempSync('/tmp/ctx-standin-');
const file = path.join(dir, 'sessions.json');
let editor: Editor | undefined;
after(() => editor?.close());

test('first', async () => {
  fs.writeFileSync(file, JSON.stringify({ sessions: [reading()] }));
  editor = await Editor.open({ vsix: must('CTX_TEST_VSIX'), env: { CTX_LSP_SERVER_DEBUG: must('CTX_TEST_STANDIN'), CTX_STANDIN: file } });
  await editor.statusText('ctx 62% · 41k to compact', 30_000);
  console.log(await editor.tooltip());
  await editor.screenshot('first');
  console.log(editor.log());
  void fileURLToPath;
});
