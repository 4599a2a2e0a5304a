// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteText } from '../../src/promptFiles/bytes';

const samples = [
  '',
  'plain\ntext\n',
  'é€𝄞\r\nß\n',
  'a\rb\r\nc',
  '\ud800 lone',
  '𝄞\ud834\n\udd1e',
  '# Überschrift 😀\n\n漢字かな\n',
];

test('the bytes before every offset agree with the encoder', () => {
  const encoder = new TextEncoder();
  for (const text of samples) {
    const t = new ByteText(text);
    for (let unit = 0; unit <= text.length; unit++) {
      const inPair =
        unit > 0 && /[\ud800-\udbff]/.test(text[unit - 1] as string) && /[\udc00-\udfff]/.test(text[unit] ?? '');
      if (inPair) {
        continue;
      }
      const byte = encoder.encode(text.slice(0, unit)).length;
      assert.equal(t.byteAt(unit), byte, JSON.stringify([text, unit]));
    }
  }
});
