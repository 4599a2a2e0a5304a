// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutFirstWords } from '../../src/log';
import { activityWords, age, fullName, isEarlier, nameOf, shortId, standing, withoutTitles } from '../../src/names';
import { describe } from '../../src/others/words';
import { entries } from '../../src/picker';
import { handover } from '../../src/summary';
import { readingMarkdown } from '../../src/tooltip';
import { spoken } from '../../src/words';
import { panel } from '../panel';
import { reading } from '../reading';

const now = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;
const uuid = '3f2a9c1b-1111-4222-8333-444444444444';

test('a session is called by its title, else by its label, its first words, or its folder and age', () => {
  const nameless = { session: uuid, title: '', label: '', workspace: '/home/ada/shop' };
  assert.equal(nameOf(reading({ title: 'fix the retry logic', opening: 'Please fix' })), 'fix the retry logic');
  assert.equal(nameOf(reading({ ...nameless, opening: 'Please fix the retries' })), 'Please fix the retries');
  assert.equal(nameOf(reading({ ...nameless, asOf: Date.now() - 5 * 60_000 })), 'shop, 5 min ago');
  assert.equal(nameOf(reading({ ...nameless, workspace: 'C:\\work\\shop\\', asOf: null })), 'shop');
  assert.equal(nameOf(reading({ ...nameless, workspace: '', asOf: Date.now() })), 'just now, 3f2a9c1b');
  assert.equal(nameOf(reading({ title: 'fix the retry logic', label: 'x' })), 'fix the retry logic');
  assert.equal(nameOf(reading({ label: 'My chat' })), 'My chat');
  assert.equal(fullName(reading({ title: 'fix the retry logic' })), 'fix the retry logic — Claude Code');
  assert.equal(fullName(reading({ ...nameless, asOf: Date.now() })), 'shop, just now — Claude Code');
  assert.equal(fullName(reading({ agent: 'generic', label: 'My chat' })), 'My chat');
});

test('ids of every agent are cut to their distinctive part', () => {
  assert.equal(shortId(`claude-code:${uuid}`), '3f2a9c1b');
  assert.equal(shortId(`parent/agent-a1b2c3d4e5`), 'a1b2c3d4');
  assert.equal(shortId('ses_4f0c9a7b8d'), '4f0c9a7b');
  assert.equal(shortId('vscode-12'), 'vscode-12');
});

test('a title of many lines, or of a page, is one line that fits', () => {
  assert.equal(nameOf(reading({ title: 'a\n\n b\tc' })), 'a b c');
  assert.equal(nameOf(reading({ title: 'x'.repeat(500) })).length, 80);
});

test('without titles no view has one, sub-agents included', () => {
  const child = { ...reading({ session: 'c1', title: 'secret' }), level: 'ok' as const, children: [] };
  const stripped = withoutTitles(reading({ title: 'secret', opening: 'secret words', children: [child] }));
  assert.ok(!JSON.stringify(stripped).includes('secret'));
});

test('the first words of a prompt leave the screen neither by the clipboard, nor for a model, nor in a trace', () => {
  const named = reading({ title: '', label: '', opening: 'xylophone' });
  assert.match(fullName(named), /xylophone/);
  const traced = JSON.stringify({ ...named, lines: { status: 'ctx "xylophone" 5%' } }, null, 2);
  assert.doesNotMatch(withoutFirstWords(traced) + withoutFirstWords(JSON.stringify(JSON.parse(traced))), /xylophone/);
  assert.doesNotMatch(handover(named, undefined, []) + describe(named, undefined), /xylophone/);
});

test('an age is shown in minutes, hours and days', () => {
  const of = (ms: number) => age(reading({ asOf: now - ms }), now);
  assert.deepEqual([0, 59_000, 5 * 60_000, 20 * hour, 47 * hour, 72 * hour].map(of), [
    'just now',
    'just now',
    '5 min ago',
    '20 h ago',
    '47 h ago',
    '3 days ago',
  ]);
  assert.equal(age(reading({ asOf: null }), now), '');
});

test('an activity has a label; an unknown one has none', () => {
  const words = (change: Parameters<typeof reading>[0]) => activityWords(reading(change));
  assert.equal(words({ activity: 'working' }), 'working');
  assert.equal(words({ activity: 'waiting', waitingFor: 'approval' }), 'waiting for approval');
  assert.equal(words({ activity: 'waiting', waitingFor: 'prompt' }), 'waiting for you');
  assert.equal(words({ activity: 'idle' }), 'idle');
  assert.equal(words({}), '');
});

test('the list has names, ages and states; the live before the idle; those of days past under “Earlier”', () => {
  const list = entries({
    past: [],
    here: [
      reading({ session: 'old', title: 'old one', percent: 99, activity: 'idle', asOf: now - 30 * hour }),
      reading({ session: 'idle', title: 'idle one', percent: 90, activity: 'idle', asOf: now - 2 * hour }),
      reading({
        session: 'live',
        title: 'fix the retry logic',
        branch: 'main',
        percent: 10,
        activity: 'waiting',
        waitingFor: 'approval',
        asOf: now - 120_000,
      }),
    ],
    elsewhere: [],
    shown: 'live',
    pinned: false,
    canWiden: false,
    absence: { welcome: '', sentence: '', weight: 'quiet', ways: [] },
    now,
  });
  assert.deepEqual(
    list.slice(0, 5).map((e) => e.label),
    [
      'This workspace',
      '$(circle-filled) 62% fix the retry logic',
      '$(circle-outline) 62% idle one',
      'Earlier',
      '$(circle-outline) 62% old one',
    ],
  );
  assert.equal(list[1]?.detail, 'Claude Code · claude-opus-4-6 · waiting for approval · main · 2 min ago');
  assert.match(list[1]?.description ?? '', /^124k \/ 200k · about 6 requests until it compacts · shown$/);
  assert.match(list[4]?.detail ?? '', /idle · 30 h ago · \/w$/);
  assert.ok(!list.some((e) => /warning|error/.test(e.label)));
  assert.ok(isEarlier(reading({ activity: 'idle', asOf: now - 25 * hour }), now));
  assert.ok(!isEarlier(reading({ activity: 'working', asOf: now - 25 * hour }), now));
});

test('a list without sessions shows the reason and what to do', () => {
  const list = entries({
    past: [],
    here: [],
    elsewhere: [],
    shown: undefined,
    pinned: false,
    canWiden: false,
    absence: {
      welcome: '',
      sentence: 'No ctx-lsp program was found.',
      weight: 'trouble',
      ways: ['install', 'promptFilesOnly'],
    },
    now,
  });
  assert.deepEqual(
    list.slice(1).map((e) => e.label),
    [
      '$(warning) No ctx-lsp program was found.',
      '$(arrow-right) Install the Package for This Platform',
      '$(arrow-right) Prompt Files Only: Hide This',
    ],
  );
  assert.deepEqual(list[2]?.choice, { act: 'way', way: 'install' });
});

test('the tooltip shows agent, fill, compaction, largest parts, basis and actions in nine lines', () => {
  const named = (label: string, tokens: number) =>
    ({
      kind: 'toolResults',
      what: 'file',
      label: { text: label },
      tokens,
      times: 1,
      index: 0,
      basis: 'counted',
      share: 1,
      bar: 100,
      place: 1,
    }) as const;
  const text = readingMarkdown(
    reading({
      title: 'fix the retry logic',
      branch: 'main',
      activity: 'working',
      asOf: now - 120_000,
      panel: panel({ session: [{ id: 'activity', value: 'working' }] }),
      largest: [named('Read src/api.go', 31_000), named('Bash npm test', 12_000), named('Read src/z.go', 9000)],
    }),
    { reason: 'folder', sessions: 3, now },
  );
  const lines = text
    .replaceAll('\\', '')
    .split('\n')
    .filter((l) => l.trim() && l !== '---');
  assert.deepEqual(
    lines.map((l) => l.trim()),
    [
      '**fix the retry logic** — Claude Code · claude-opus-4-6 · working',
      '▰▰▰▰▰▰▱▱▱▱ **62%** · 124k of 200k',
      '| Tool results | ~80,000 | 40% |',
      '|:--|--:|--:|',
      '| System prompt | 24,000 | 12% |',
      '| User | ~20,000 | 10% |',
      '$(clock) about 6 requests until it compacts · 41,000 until it compacts at 165,000',
      '[Details](command:ctx.showPanel) · [Sessions](command:ctx.pickSession) · *one of 3 sessions: last active in the focused folder*',
    ],
  );
});

test('the fullest tooltip has eight lines, and each fits the usual width', () => {
  const long = 'and so it goes on '.repeat(30);
  const text = readingMarkdown(
    reading({
      title: long,
      activity: 'waiting',
      waitingFor: 'approval',
      asOf: now - 120_000,
      panel: panel({
        session: [{ id: 'activity', value: 'waiting for approval' }],
        warnings: [
          { id: 'warning', value: long },
          { id: 'warning', value: long },
        ],
        compaction: [
          { id: 'whole', value: long },
          { id: 'counts', value: long },
        ],
      }),
      compaction: { ...reading().compaction, level: 'now' },
    }),
    { reason: 'unsure', sessions: 12, outdated: '', trouble: { sentence: long, ways: ['restart', 'logs'] }, now },
  );
  const seen = text
    .replaceAll('\\', '')
    .replace(/\]\(command:[^)]*\)/g, ']')
    .split('\n')
    .filter((l) => l.trim() && !l.startsWith('|:'));
  const taken = seen.map((l) => Math.ceil(l.length / 100)); // the lines of the usual width
  assert.ok(taken.reduce((all, n) => all + n) <= 8, text);
});

test('the tooltip explains in provider mode why no number is shown', () => {
  const view = { reason: 'latest', sessions: 1, now } as const;
  const usage = { id: 'usage', label: 'Window', value: '0.0%', note: '0 of 200k, nothing measured yet', share: 0 };
  const none = reading({
    mode: 'provider',
    basis: 'unknown',
    panel: panel({ window: [usage, { id: 'until', value: '' }] }),
  });
  const text = readingMarkdown(none, view).replaceAll('\\', '');
  assert.match(text, /\*\*0\.0%\*\* · 0 of 200k, nothing measured yet/);
  assert.equal(spoken(none, 0), 'Window: 0.0%, 0 of 200k, nothing measured yet');
});

test('the tooltip of an idle session shows no alarm', () => {
  const idle = reading({ activity: 'idle', compaction: { ...reading().compaction, level: 'now' } });
  const text = readingMarkdown(idle, { reason: 'latest', sessions: 1, now });
  assert.doesNotMatch(text, /\$\((error|warning)\)/);
});

test('past the threshold it compacts now, and no negative number is shown or spoken', () => {
  const over = reading({
    compaction: { ...reading().compaction, level: 'over', left: -4300 },
    panel: panel({ window: [{ id: 'until', value: 'it compacts now' }] }),
  });
  const text = readingMarkdown(over, { reason: 'latest', sessions: 1, now });
  assert.match(text, /\$\(error\) it compacts now/);
  assert.doesNotMatch(text, /-4\.3/);
});

test('a session is linked to the terminal in front only if that is proved', () => {
  const view = { sessions: 2, now };
  assert.match(readingMarkdown(reading(), { ...view, reason: 'terminal' }), /runs in the focused terminal/);
  const unsure = readingMarkdown(reading(), { ...view, reason: 'unsure' });
  assert.doesNotMatch(unsure, /: runs in the focused terminal/);
  assert.match(unsure, /may be the session in the focused terminal/);
});

test('a session run by a host shows that with its state, both limits and the agent’s own counts', () => {
  const whole = '12% of the model’s 1M window; the agent uses at most 128k';
  const hosted = reading({
    title: 'fix it',
    host: 'VS Code Agent Host',
    activity: 'working',
    asOf: now,
    panel: panel({
      session: [{ id: 'host', value: 'in VS Code Agent Host' }],
      compaction: [{ id: 'whole', value: whole }],
    }),
  });
  assert.deepEqual(standing(hosted, now), ['working', 'in VS Code Agent Host', 'just now']);
  const text = readingMarkdown(hosted, { reason: 'folder', sessions: 1, now }).replaceAll('\\', '');
  for (const shown of ['in VS Code Agent Host', whole]) {
    assert.ok(text.includes(shown), text);
  }
  assert.match(handover(hosted, undefined, []), /^Runs in: VS Code Agent Host$/m);
});
