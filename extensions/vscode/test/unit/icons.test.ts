// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { mock, test } from 'node:test';
import { font, icons } from '../../icons.mjs';

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
  contributes: { icons: Record<string, { default: { fontPath: string; fontCharacter: string } }> };
};

test('the manifest has each icon of the font, by its code', () => {
  const listed = Object.entries(manifest.contributes.icons).map(([name, { default: of }]) => {
    assert.equal(of.fontPath, './dist/icons.woff');
    return [name, Number.parseInt(of.fontCharacter.slice(1), 16)];
  });
  assert.deepEqual(
    listed,
    icons.map(({ name, code }) => [name, code]),
  );
});

test('the font does not depend on the clock', () => {
  mock.timers.enable({ apis: ['Date'], now: 0 });
  const then = font();
  mock.timers.reset();
  assert.ok(font().equals(then));
});

test('the font is small, and each icon is inside its square and larger than the one before', () => {
  const packed = font();
  assert.ok(packed.length < 4096, `${packed.length} bytes`);
  assert.equal(packed.toString('latin1', 0, 4), 'wOFF');
  assert.equal(packed.readUInt32BE(8), packed.length);
  const area = ({ name, outline }: (typeof icons)[number]): number => {
    const numbers = outline.flatMap(({ x = 0, y = 0 }) => [x, y]);
    assert.ok(Math.min(...numbers) >= 0 && Math.max(...numbers) <= 1024, `${name}: ${numbers.join(' ')}`);
    // By the trapezoid rule over the ends of all curves; exact enough to compare.
    let sum = 0;
    let [px, py, sx, sy] = [0, 0, 0, 0];
    for (const c of outline) {
      const [x, y] = c.type === 'Z' ? [sx, sy] : [c.x ?? 0, c.y ?? 0];
      if (c.type === 'M') {
        [sx, sy] = [x, y];
      } else {
        sum += (px * y - x * py) / 2;
      }
      [px, py] = [x, y];
    }
    return Math.abs(sum);
  };
  for (const kind of ['ring', 'bar']) {
    const areas = icons.filter(({ name }) => name.startsWith(`ctx-${kind}`)).map(area);
    for (const [i, each] of areas.entries()) {
      assert.ok(i === 0 || each > (areas[i - 1] ?? 0), `${kind} ${i}: ${areas.map(Math.round).join(' ')}`);
    }
  }
});
