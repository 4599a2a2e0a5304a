// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { moved, newest, now, place, refuseUnmoved } from '../driver/recorded';

const iso = (at: number): string => new Date(at).toISOString();

test('every form of a date is moved by the same time, and no other number', () => {
  const by = Date.UTC(2026, 10, 28, 12) - Date.UTC(2026, 2, 2, 9);
  const recording = {
    '2026/03/02/rollout-2026-03-02T09-00-00-0197a000.jsonl': [
      '{"timestamp":"2026-03-02T09:00:00.123Z","resets_at":1790000000}',
      '"2026-03-02T10:00:00+01:00" "2026-03-02 08:59:58" "2026-03-02T08:59:58.123456"',
      '1772442000 1772442000123 1772442000123456 1772442000.5 "session-1772442000123.json" 2026-03-02T09-00-00-123Z',
      '"day":"2026-03-02","model":"gpt-4o-2026-03-02","tokens":177244200,"id":"x1772442000"',
    ].join('\n'),
  };
  const [[name, text]] = Object.entries(moved(recording, 60_000)) as [[string, string]];
  const last = newest(text) as number;
  assert.ok(Math.abs(now() - 60_000 - last) < 2000, iso(last));
  const at = (of: number): number => of + Math.floor((last - Date.UTC(2026, 2, 2, 9)) / 1000) * 1000;
  assert.ok(by !== 0);
  const nine = iso(at(Date.UTC(2026, 2, 2, 9)));
  const before = iso(at(Date.UTC(2026, 2, 2, 8, 59, 58)));
  const seconds = at(Date.UTC(2026, 2, 2, 9)) / 1000;
  const reset = 1790000000 + seconds - 1772442000;
  const east = iso(at(Date.UTC(2026, 2, 2, 10)));
  assert.equal(
    name,
    `${nine.slice(0, 10).replaceAll('-', '/')}/rollout-${nine.slice(0, 19).replaceAll(':', '-')}-0197a000.jsonl`,
  );
  assert.deepEqual(text.split('\n'), [
    `{"timestamp":"${nine.slice(0, 19)}.123Z","resets_at":${reset}}`,
    `"${east.slice(0, 19)}+01:00" "${before.slice(0, 19).replace('T', ' ')}" "${before.slice(0, 19)}.123456"`,
    `${seconds} ${seconds}123 ${seconds}123456 ${seconds}.5 "session-${seconds}123.json" ${nine.slice(0, 19).replaceAll(':', '-')}-123Z`,
    `"day":"${nine.slice(0, 10)}","model":"gpt-4o-2026-03-02","tokens":177244200,"id":"x1772442000"`,
  ]);
  assert.throws(() => moved({ a: 'no date' }), /has no date: a/);
});

test('a recording that did not come through place() is refused, with its name and its date', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-recorded-'));
  try {
    const recording = { '.agent/events.jsonl': '{"timestamp":"2026-03-02T09:00:00.000Z"}' };
    refuseUnmoved(path.join(home, 'absent'));
    place(home, recording);
    refuseUnmoved(home);
    place(home, { '.agent/old.jsonl': '1772442000123' }, { ago: 3 * 86_400_000 }); // old on purpose
    refuseUnmoved(home);
    fs.writeFileSync(path.join(home, '.agent/written.jsonl'), `{"timestamp":"${iso(now())}"}`);
    refuseUnmoved(home);
    fs.writeFileSync(path.join(home, '.agent/copied.jsonl'), recording['.agent/events.jsonl']);
    assert.throws(
      () => refuseUnmoved(home),
      /\.agent\/copied\.jsonl has no record after 2026-03-02T09:00:00\.000Z: .*place\(\)/,
    );
  } finally {
    fs.rmSync(home, { recursive: true });
  }
});
