// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { agentOfWebview } from '../../src/agents';
import { belongs, isInside } from '../../src/folders';
import { escape } from '../../src/markdown';
import { fromPage } from '../../src/panel/messages';
import { byFullness, Sessions } from '../../src/sessions';
import { summary } from '../../src/summary';
import { linksMarkdown, readingMarkdown, tooltipCommands } from '../../src/tooltip';
import { spoken } from '../../src/words';
import { compactionCommand } from '../../src/terminals';
import { reading } from '../reading';

test('the tooltip has both denominators, every row, basis, forecast, accuracy and where the numbers come from', () => {
  const text = readingMarkdown(reading(), 'folder', 3).replaceAll('\\', '');
  for (const part of [
    '124,000',
    '200,000',
    '62%',
    '41k',
    '165,000',
    '75%',
    'System prompt | 24,000',
    'Tool results | ~80,000',
    '6 (4–9) calls',
    '12 tokens in the median',
    'measured by the provider',
    'the agent’s own table',
    'claude-code 2.1.20+',
    'One of 3 sessions',
  ]) {
    assert.ok(text.includes(part), `${part} is not in\n${text}`);
  }
});

test('what a transcript calls itself cannot become a link, an icon or a row', () => {
  const hostile = '[run](command:ctx.runCompaction) $(error) | a\n# b <img src=x>';
  const text = readingMarkdown(
    reading({
      label: hostile,
      model: hostile,
      warnings: [hostile],
      breakdown: [{ kind: 'user', label: hostile, tokens: 1, basis: 'counted' }],
    }),
    'latest',
    1,
  );
  assert.doesNotMatch(text, /\]\(command:ctx\.runCompaction\)/);
  assert.doesNotMatch(text, /(?<!\\)\$\((?!clock|lightbulb|target|sync|info)/);
  assert.doesNotMatch(text, /(?<!\\)<img/);
  assert.equal(escape('a\nb'), 'a b');
});

test('links run only commands on the list, and the list only commands of the manifest', () => {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    contributes: { commands: { command: string }[] };
  };
  const known = manifest.contributes.commands.map((c) => c.command);
  assert.deepEqual(
    tooltipCommands.filter((c) => !known.includes(c)),
    [],
  );
  for (const [, command] of linksMarkdown(reading({ file: '/t.jsonl' }), true).matchAll(/command:([\w.]+)/g)) {
    assert.ok((tooltipCommands as readonly string[]).includes(command ?? ''), command);
  }
});

test('sessions are ordered fullest first, those without a window last', () => {
  const list = [
    reading({ session: 'a', percent: 10 }),
    reading({ session: 'b', percent: null, used: 9 }),
    reading({ session: 'c', percent: 90 }),
    reading({ session: 'd', percent: null, used: 10 }),
  ];
  assert.deepEqual(
    list.sort(byFullness).map((r) => r.session),
    ['c', 'a', 'd', 'b'],
  );
});

test('the session that was active last is the latest, sub-agents aside; what the daemon told is forgotten with it', () => {
  const sessions = new Sessions();
  sessions.put(reading({ session: 'a', asOf: 1 }), 'watched');
  sessions.put(reading({ session: 'b', asOf: 3, parent: 'a' }), 'watched');
  sessions.put(reading({ session: 'c', asOf: 2 }), 'api');
  assert.equal(sessions.latest()?.session, 'c');
  assert.equal(sessions.latest((r) => r.session !== 'c')?.session, 'a');
  sessions.forgetWatched();
  assert.deepEqual(
    sessions.all().map((k) => k.reading.session),
    ['c'],
  );
});

test('a folder is not inside another one because its name begins alike', () => {
  assert.ok(isInside('/w/a/b', '/w/a'));
  assert.ok(!isInside('/w/ab', '/w/a'));
  assert.ok(isInside('C:\\w\\a', 'c:/w'));
  assert.ok(belongs('/w', '/w/a') && belongs('/w/a', '/w/') && !belongs('', '/w'));
});

test('the summary holds numbers and labels; the spoken text says full words', () => {
  assert.match(
    summary(reading()),
    /^Context window of Claude Code, claude-opus-4-6\nUsed: 124,000 of 200,000 tokens \(62%\), measured by the provider\n/,
  );
  assert.equal(
    spoken(reading()),
    'Context window 62% used, 41k tokens left to compaction, compaction is not near, measured by the provider',
  );
});

test('only a plain slash command is ever typed into a terminal', () => {
  assert.equal(compactionCommand(reading()), '/compact');
  const how = (text: string) =>
    compactionCommand(
      reading({
        agent: 'generic',
        advice: [{ action: 'compact', label: '', tokens: 1, items: 1, how: text, breaksCache: true }],
      }),
    );
  assert.equal(how('/compact; rm -rf /'), undefined);
  assert.equal(how('Summarise the conversation.'), undefined);
});

test('the panel listens to its own messages only', () => {
  assert.deepEqual(fromPage({ type: 'act', act: 'copy', extra: 1 }), { type: 'act', act: 'copy' });
  for (const wrong of [null, 7, {}, { type: 'act', act: 'format' }, { type: 'session', session: 3 }]) {
    assert.equal(fromPage(wrong), undefined);
  }
});

test('an editor tab of an agent is recognised by its view type', () => {
  assert.equal(agentOfWebview('mainThreadWebview-claudeVSCodePanel'), 'claude-code');
  assert.equal(agentOfWebview('mainThreadWebview-markdown.preview'), undefined);
});
