// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { Editor } from '../driver/editor';
import { Transcript } from '../driver/transcript';

// The negative control: what the other tests see is the extension's doing.
test('without the extension there is no item, however long one waits', async () => {
  const editor = await Editor.open({});
  try {
    new Transcript(path.join(editor.home, '.claude'), editor.workspace)
      .user('Hi.')
      .assistant('Hello.', { cached: 0, fresh: 60_000, out: 10 });
    // Nothing is awaited here, so a busy machine need not be waited for.
    await editor.page.waitForTimeout(6000);
    assert.equal(await editor.statusItem.count(), 0);
  } finally {
    await editor.close();
  }
});
