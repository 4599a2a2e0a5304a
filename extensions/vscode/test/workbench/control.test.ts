// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after } from 'node:test';
import { test } from '../driver/cases';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';

let editor: Editor;
after(() => editor?.close());

// The negative control: what the other tests see is the extension's doing.
test('without the extension there is no item, and no command, in an editor that has started its extensions', async () => {
  editor = await Editor.open({});
  new Transcript(path.join(editor.home, '.claude'), editor.workspace)
    .user('Hi.')
    .assistant('Hello.', { cached: 0, fresh: 60_000, out: 10 });
  assert.ok(Number.isFinite(await editor.activation('Merge Conflict')));
  assert.equal(await editor.hasCommand('Ctx: Pick a Session…'), false);
  assert.equal(await editor.statusItem.count(), 0);
});
