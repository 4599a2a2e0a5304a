// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { type Way, ways } from '../../src/absence';
import { agentName, agentOfWebview } from '../../src/agents';
import { withoutFolders } from '../../src/diagnosticsReport';
import { belongs, isInside } from '../../src/folders';
import { escaped } from '../../src/markdown';
import { fromPage } from '../../src/panel/messages';
import { topOf } from '../../src/panel/view/curve';
import { byFullness, Sessions } from '../../src/sessions';
import { handover, numbers } from '../../src/summary';
import { compactionCommand } from '../../src/terminals';
import { absenceMarkdown, readingMarkdown, tooltipCommands, waitingMarkdown } from '../../src/tooltip';
import { spoken } from '../../src/words';
import { panel } from '../panel';
import { reading } from '../reading';

test('what a transcript calls itself cannot become a link, an icon or a row', () => {
  const hostile = '[run](command:ctx.runCompaction) $(error) | a\n# b <img src=x>';
  const text = readingMarkdown(
    reading({
      label: hostile,
      panel: panel({
        session: [{ id: 'model', value: hostile }],
        window: [{ id: 'usage', value: hostile, note: hostile }],
        parts: [{ id: 'part', kind: 'user', label: hostile, value: hostile, share: 0, bar: 100 }],
        warnings: [{ id: 'warning', value: hostile }],
      }),
    }),
    { reason: 'latest', sessions: 1, now: 0 },
  );
  assert.doesNotMatch(text, /\]\(command:ctx\.runCompaction\)/);
  assert.doesNotMatch(text, /(?<!\\)\$\((?!clock|info|alert)/);
  assert.doesNotMatch(text, /(?<!\\)<img/);
  assert.equal(escaped('a\nb'), 'a b');
  assert.equal(escaped('see https://evil.example/a@b'), 'see https\\://evil\\.example/a\\@b', 'an address is no link');
  assert.ok(!/(^|[^\\])(\\\\)*\\$/.test(escaped('x'.repeat(399) + '.'.repeat(9))), 'no backslash stays alone');
  assert.equal(escaped('.'.repeat(500)), '\\.'.repeat(400));
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
  const everyLink =
    readingMarkdown(reading(), { reason: 'pinned', sessions: 1, now: 0 }) +
    waitingMarkdown('', true) +
    absenceMarkdown({ sentence: '', weight: 'trouble', ways: Object.keys(ways) as Way[] });
  assert.ok([...everyLink.matchAll(/command:/g)].length >= 10);
  for (const [, command] of everyLink.matchAll(/command:([\w.]+)/g)) {
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

test('the session active last is the latest, except sub-agents; the data of the daemon is dropped with it', () => {
  const sessions = new Sessions();
  sessions.put(reading({ session: 'a', asOf: 1 }), 'watched');
  sessions.put(reading({ session: 'b', asOf: 3, parent: 'a' }), 'watched');
  sessions.put(reading({ session: 'c', asOf: 2 }), 'api');
  assert.equal(sessions.latest()?.session, 'c');
  sessions.put(reading({ session: 'd', asOf: 9, activity: 'idle' }), 'watched');
  assert.equal(sessions.latest()?.session, 'c', 'what is live comes before what is idle');
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

test('the copied numbers are those of the panel, without names of the session and its files', () => {
  const row = (id: string, label: string, value: string, note = '') => ({ id, label, value, note });
  const panel = [
    { id: 'session', title: 'Session', rows: [row('title', 'Title', 'secret'), row('model', 'Model', 'opus')] },
    {
      id: 'window',
      title: 'Window',
      rows: [row('full', '', '62% full'), row('usage', 'Window', '62%', '124k of 200k')],
    },
    { id: 'largest', title: 'Largest', rows: [row('item', 'secret.go', '9,000')] },
    {
      id: 'numbers',
      title: 'Numbers',
      rows: [row('basis', 'Basis', 'last input 9'), row('transcript', '', '/secret')],
    },
  ];
  assert.equal(
    numbers(panel),
    'Session\n  Model: opus\n\nWindow\n  Window: 62% (124k of 200k)\n\nNumbers\n  Basis: last input 9\n',
  );
});

test('the spoken text uses full words', () => {
  assert.equal(spoken(reading(), 0), 'Window: 62%, 124k of 200k, about 6 requests until it compacts');
});

test('only a plain slash command is ever typed into a terminal', () => {
  assert.equal(compactionCommand(reading()), '/compact');
  const how = (text: string) =>
    compactionCommand(
      reading({
        agent: 'generic',
        advice: reading().advice.map((a) => ({ ...a, how: { text } })),
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

test('a tab belongs to the agent that the calculator knows by that id', () => {
  const tabs = {
    'claude-dev.SidebarProvider': 'cline',
    'roo-cline.TabPanel': 'roo-code',
    'kilo-code.TabPanel': 'kilo-code',
    'chatgpt.view': 'codex',
    'amp.chat': 'amp',
    'example.view': undefined,
  };
  for (const [tab, agent] of Object.entries(tabs)) {
    assert.equal(agentOfWebview(tab), agent, tab);
  }
  assert.equal(agentName('roo-code'), 'Roo Code');
  assert.equal(agentName('generic'), '');
  assert.equal(agentName('of-tomorrow'), 'of-tomorrow');
});

test('what a compaction fell from is inside the drawing, however high', () => {
  const history = {
    points: [{ call: 1, used: 100 }],
    compactions: [{ call: 1, before: 240, after: 20 }],
    threshold: 167,
    limit: 200,
  };
  assert.equal(topOf(history as unknown as Parameters<typeof topOf>[0]), 240);
});

test('the facts for a handover name the session, its path and its largest items, and no text of the conversation', () => {
  const text = handover(
    reading({ title: 'fix the retry logic', branch: 'main', file: '/t.jsonl' }),
    {
      items: [
        { kind: 'toolResults', label: { text: 'Read src/api.go' }, tokens: 31_000, basis: 'estimated', share: 25 },
      ],
      total: 1,
    } as never,
    [],
  );
  assert.match(
    text,
    /^Session: fix the retry logic — Claude Code \(s1\)\nFolder: \/w\nBranch: main\nTranscript: \/t\.jsonl\nLargest items in its window:\n {2}Read src\/api\.go: ~31,000\n/,
  );
});

test('diagnostics hold no path, and keep the name of the program and of the protocol', () => {
  const home = ['/home/Jane Doe'];
  const of = (text: string) => withoutFolders(text, home);
  assert.equal(
    of('Daemon 1.2 runs from /home/Jane Doe/.vscode/extensions/ctx-lsp/server/ctx-lsp (from the extension).'),
    'Daemon 1.2 runs from …/ctx-lsp (from the extension).',
  );
  assert.equal(
    of('The daemon did not respond to ctx/session/reading within 30 ms.'),
    'The daemon did not respond to ctx/session/reading within 30 ms.',
  );
  assert.equal(of('speaks ctx.version/1, ctx.reading/0'), 'speaks ctx.version/1, ctx.reading/0');
  assert.equal(of('C:\\Users\\jane\\work\\a.md cannot be counted'), '… cannot be counted');
  assert.equal(of('The sessions of /home/Jane Doe/secret cannot be followed'), 'The sessions of … cannot be followed');
});
