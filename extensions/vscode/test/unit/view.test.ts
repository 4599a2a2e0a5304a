// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { Items, Reading } from '../../api/protocol';
import type { Found } from '../../src/backend';
import { foundLines, foundText } from '../../src/found';
import { shortenedThing } from '../../src/names';
import { learnPhrases } from '../../src/phrases';
import { fillGroups, fillItem, fillLeaves } from '../../src/view/fillNodes';
import { canOpen } from '../../src/view/place';
import { selectedLine } from '../../src/view/selected';
import { nodesBelow, type SessionNode, sessionItem, topNodes } from '../../src/view/sessionNodes';
import { allowanceSentence, leadSentence } from '../../src/words';
import { reading } from '../reading';
import { l10n } from './vscode';

const now = 1_700_000_000_000;
const hour = 3_600_000;
const view = { here: [] as Reading[], elsewhere: [] as Reading[], past: [], pastElsewhere: [], shown: undefined, now };
const listed = {
  session: 'p',
  agent: 'codex',
  title: '',
  workspace: '/w',
  started: null,
  modified: now - hour,
  glimpse: null,
};
/** The names of lines, without their numbers. */
const labels = (nodes: SessionNode[]): string[] =>
  nodes.map((n) => String(sessionItem(n, view).label).replace(/^\S*\d\S* /, ''));

test('the tree has live sessions first, then those elsewhere, then those of earlier days, each once', () => {
  const here = [
    reading({ session: 'idle', title: 'Idle', activity: 'idle', percent: 90 }),
    reading({ session: 'half', title: 'Half', activity: 'working', percent: 50 }),
    reading({ session: 'full', title: 'Full', activity: 'working', percent: 80 }),
    reading({ session: 'old', title: 'Old', activity: 'idle', asOf: now - 30 * hour }),
  ];
  const elsewhere = [reading({ session: 'other', title: 'Other' })];
  const past = [
    { ...listed, session: 'old', title: 'Old', modified: now - 30 * hour },
    { ...listed, session: 'older', title: 'Older', modified: now - 80 * hour },
  ];
  const nodes = topNodes({ ...view, here, elsewhere, past });
  assert.deepEqual(labels(nodes), ['Full', 'Half', 'Idle', 'Elsewhere', 'Earlier']);
  assert.deepEqual(labels(nodesBelow(nodes[3] as SessionNode)), ['Other']);
  assert.deepEqual(labels(nodesBelow(nodes[4] as SessionNode)), ['Old', 'Older']);
});

test('a session that is not read is listed with its number while it is of today', () => {
  const here = [reading({ session: 'full', title: 'Full' })];
  const glimpse = { model: 'm', used: 1, limit: 2, percent: 62, basis: 'measured', part: false } as const;
  const past = [
    { ...listed, session: 'full', title: 'Full' },
    { ...listed, title: 'An hour ago', glimpse: { ...glimpse, display: reading().display } },
    { ...listed, session: 'unknown', title: 'Unknown' },
    { ...listed, session: 'old', title: 'Old', modified: now - 30 * hour },
  ];
  const part = { ...glimpse, part: true, display: reading().display };
  const pastElsewhere = [{ ...listed, session: 'e', title: 'There', glimpse: part }];
  const nodes = topNodes({ ...view, here, past, pastElsewhere });
  assert.deepEqual(labels(nodes), ['Full', 'An hour ago', 'Unknown', 'Elsewhere', 'Earlier']);
  const said = nodes.map((n) => sessionItem(n, view)).map(({ label, description }) => [label, description]);
  assert.deepEqual(said.slice(1, 3), [
    ['62% An hour ago', '▰▰▰▰▰▰▱▱▱▱ · Codex · 1 h ago'],
    ['Unknown', 'Codex · 1 h ago'],
  ]);
  assert.equal(sessionItem(nodesBelow(nodes[3] as SessionNode)[0] as SessionNode, view).label, '≥62% There');
  assert.deepEqual(labels(nodesBelow(nodes[4] as SessionNode)), ['Old']);
});

test('a line has percent, name, bar, age and state, so that a narrow view shows the number; its icon says its level, and an idle one is dim', () => {
  const line = (change: Partial<Reading>) =>
    sessionItem({ kind: 'session', reading: reading({ asOf: now - 120_000, ...change }), parent: undefined }, view);
  const item = line({ title: 'Fix the retry logic', activity: 'waiting', waitingFor: 'approval' });
  assert.equal(item.label, '62% Fix the retry logic');
  assert.equal(item.description, '▰▰▰▰▰▰▱▱▱▱ · 2 min ago · waiting for approval');
  assert.equal((item.iconPath as { id: string }).id, 'bell');
  const compaction = { ...reading().compaction, level: 'soon' as const };
  assert.equal((line({ compaction }).iconPath as { id: string }).id, 'warning');
  assert.equal((line({ compaction, activity: 'idle' }).iconPath as { id: string }).id, 'circle-outline');
  assert.match(
    String(item.tooltip),
    /Fix the retry logic — Claude Code\n62% · 124k \/ 200k\n41k until it compacts at 165k/,
  );
  const long = String(line({ title: 'A title that goes on and on until nobody can see the bar' }).label);
  assert.ok(long.length <= '62% '.length + 28 && long.endsWith('…'), long);
  assert.doesNotMatch(String(line({ title: '$(error) x' }).label), /\$\(error\)/);
});

test('sub-agents stand below their session, the fullest first', () => {
  const child = (session: string, percent: number) =>
    ({ ...reading({ session, title: session, percent }), level: 'ok' }) as never;
  const parent = reading({ children: [child('small', 10), child('large', 70)] });
  assert.deepEqual(labels(nodesBelow({ kind: 'session', reading: parent, parent: undefined })), ['large', 'small']);
});

test('what fills a window is named, largest first, and opens its place in the transcript', () => {
  const items = {
    total: 2,
    items: [
      {
        index: 3,
        kind: 'toolResults',
        what: 'file',
        label: 'Read src/api.go',
        times: 4,
        tokens: 31_000,
        basis: 'counted',
        share: 25,
        place: 42,
      },
      {
        index: 5,
        kind: 'user',
        what: '',
        label: '',
        times: 1,
        tokens: 900,
        basis: 'estimated',
        share: 1.73,
        place: null,
      },
    ],
  } as Items;
  const fill = { reading: reading({ file: '/t.jsonl' }), items, canOpen: true };
  assert.deepEqual(
    fillGroups(fill).map((g) => g.kind === 'group' && g.id),
    ['named', 'parts'],
  );
  const [file, user] = fillLeaves(fill, 'named').map((leaf) => fillItem(leaf, fill));
  assert.equal(file?.label, '31,000 Read src/api.go ×4');
  assert.equal(file?.description, '25%');
  assert.match(String(file?.tooltip), /^Read src\/api\.go ×4\n31,000 · 25%\n/);
  assert.equal(file?.command?.command, 'ctx.view.place');
  assert.equal(file?.command?.arguments, undefined, 'an editor forgets arguments when the tree is drawn again');
  assert.equal(user?.label, '~900 User message');
  assert.equal(user?.description, '1.73%');
  assert.equal(user?.command, undefined, 'nothing opens where the place is not known');
  const parts = fillLeaves(fill, 'parts').map((leaf) => String(fillItem(leaf, fill).label));
  assert.deepEqual(
    parts.map((part) => part.replace(/^\S+ /, '')),
    ['Tool results', 'System prompt', 'User'],
  );
  assert.ok(
    parts.every((part) => /^~?[\d,]+ /.test(part)),
    parts.join(),
  );
  const closed = { ...fill, canOpen: false };
  assert.equal(fillItem(fillLeaves(closed, 'named')[0] as never, closed).command, undefined);
});

test('an MCP server is named once, whatever comma its language has', () => {
  const details = ['github, 2 tools', 'github、ツール 2 個', 'github，2 个工具', '2 tools of github'].map((text) => {
    const fill = {
      reading: reading({ mcpServers: [{ name: 'github', text } as never] }),
      items: undefined,
      canOpen: true,
    };
    const item = fillItem(fillLeaves(fill, 'servers')[0] as never, fill);
    return [item.label, item.description];
  });
  assert.deepEqual(details, [
    ['github', '2 tools'],
    ['github', 'ツール 2 個'],
    ['github', '2 个工具'],
    ['github', '2 tools of github'],
  ]);
});

test('a click on a line counts, although the tree is being drawn again', async () => {
  let drawn: string[] = [];
  const tree = {
    get selection() {
      return drawn;
    },
  };
  const clicked = selectedLine(tree);
  await new Promise((resolve) => setTimeout(resolve, 120));
  drawn = ['the line'];
  assert.equal(await clicked, 'the line');
});

test('a long name of a thing keeps its verb and the end of its path', () => {
  assert.equal(shortenedThing('Read src/api.go', 28), 'Read src/api.go');
  const cut = shortenedThing('Read D:\\oh-my-posh\\src\\config\\segment_writer.go', 28);
  assert.equal(cut, 'Read …nfig\\segment_writer.go');
  assert.equal(cut.length, 28);
});

test('only a transcript that is a text is opened', () => {
  assert.ok(canOpen(reading({ file: '/a/b.jsonl' })));
  assert.ok(!canOpen(reading({ file: '/a/opencode.db' })) && !canOpen(reading({ file: '/a/b.jsonl.zst' })));
  assert.ok(!canOpen(reading()));
});

test('one sentence leads: requests until compaction, tokens where no forecast is, and what is known without a line', () => {
  const { compaction } = reading();
  const of = (change: object, rest: Partial<Reading> = {}) =>
    leadSentence(reading({ compaction: { ...compaction, ...change }, ...rest }));
  assert.equal(of({}), 'About 6 requests until Claude Code compacts');
  assert.equal(of({ callsLeft: { low: 0, likely: 1, high: 2 } }), 'About 1 request until Claude Code compacts');
  assert.equal(
    of({ callsLeft: { low: 0, likely: 1, high: 2 }, forecastFrom: 'as earlier sessions here' }),
    'About 1 request until Claude Code compacts (as earlier sessions here)',
  );
  assert.equal(of({ callsLeft: null }), '41k tokens until Claude Code compacts');
  assert.equal(of({ level: 'over' }), 'Claude Code compacts now');
  assert.equal(
    of({ line: null, hint: 'window full in ~9 requests' }),
    '62% of the window is used · window full in ~9 requests',
  );
  assert.equal(of({ line: null }, { agent: 'generic', percent: null }), '124k tokens in the window');
  assert.equal(of({}, { basis: 'unknown' }), "The window's usage is unknown so far");
  assert.equal(of({}, { unmeasured: 'nothing measured yet' }), 'nothing measured yet');
});

test('limits and cache are said as the agent told them, and not when their time is over', () => {
  const at = new Date(2030, 0, 2, 14, 5).getTime();
  const allowance = {
    windows: [
      { minutes: 300, percent: 41.5, resets: at },
      { minutes: 10_080, percent: 9, resets: null },
    ],
    cacheUntil: at,
    at: now,
  };
  const said = allowanceSentence(reading({ allowance }), now);
  assert.match(said, /^5-hour limit: 41\.5% used until .*2:05.* · weekly limit: 9% used · cache warm until .*2:05/);
  assert.equal(allowanceSentence(reading({ allowance }), at + 1), 'weekly limit: 9% used');
  assert.equal(allowanceSentence(reading(), now), '');
});

const found: Found = {
  version: '1.0',
  agents: [
    {
      agent: 'claude-code',
      name: 'Claude Code',
      path: '/c',
      exists: true,
      readable: true,
      sessions: 12,
      newest: new Date(now - 3 * hour).toISOString(),
    },
    { agent: 'codex', name: 'Codex', path: '/x', exists: false, readable: true, sessions: 0 },
    { agent: 'codex', name: 'Codex (archived)', path: '/y', exists: false, readable: true, sessions: 0 },
    { agent: 'zed', name: 'Zed', path: '/z', exists: true, readable: false, sessions: 0 },
  ],
  session: null,
  learned: { path: '/l' },
  cache: '/k',
  odd: ['The clock is wrong.'],
  oddPhrases: [null],
};

test('without a session the view says what was looked for and found, and the document says all of it', () => {
  assert.deepEqual(
    foundLines(found, now).map((l) => [l.text, l.detail]),
    [
      ['Claude Code', '12 sessions, the newest 3 h ago'],
      ['Zed', 'found, but its sessions are not supported yet'],
      ['Not found', 'Codex'],
    ],
  );
  assert.deepEqual(foundLines(undefined, now), []);
  const text = foundText(found, now);
  for (const part of ['- Claude Code: 12 sessions', '  /c', '- Not found: Codex', '- The clock is wrong.']) {
    assert.ok(text.includes(part), part);
  }
});

test('sentences about problems are in the language of the editor by their phrases, and third-party ones stay', async () => {
  const odd = ['/l is damaged and is treated as empty.', 'The clock is wrong.'];
  const oddPhrases = [{ id: 'learnedDamaged', args: ['/l'] }, null];
  const lines = (): string[] =>
    foundText({ ...found, odd, oddPhrases }, now)
      .trimEnd()
      .split('\n')
      .slice(-2);
  assert.deepEqual(
    lines(),
    odd.map((sentence) => `- ${sentence}`),
  );
  l10n.bundle = JSON.parse(fs.readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>;
  try {
    await learnPhrases();
    assert.deepEqual(lines(), ['- /l ist beschädigt und wird als leer behandelt.', '- The clock is wrong.']);
  } finally {
    l10n.bundle = undefined;
  }
});

test('the walkthrough ends with the API, and every step can tick and has pictures for light and dark', () => {
  const { contributes } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    contributes: {
      commands: { command: string }[];
      walkthroughs: { steps: { id: string; media: { image: object }; completionEvents: string[] }[] }[];
      views: Record<string, { id: string }[]>;
    };
  };
  const steps = contributes.walkthroughs[0]?.steps ?? [];
  assert.equal(steps.at(-1)?.id, 'api');
  const commands = contributes.commands.map((c) => c.command);
  const views = Object.values(contributes.views).flatMap((v) => v.map((each) => each.id));
  for (const step of steps) {
    assert.ok(step.completionEvents.length > 0, step.id);
    for (const [, kind, what] of step.completionEvents.map((e) => /^(\w+):(.*)$/.exec(e) ?? [])) {
      assert.ok(kind !== 'onCommand' || commands.includes(what ?? ''), what);
      assert.ok(kind !== 'onView' || views.includes(what ?? ''), what);
    }
    assert.deepEqual(Object.keys(step.media.image).sort(), ['dark', 'hc', 'hcLight', 'light']);
    for (const file of Object.values(step.media.image) as string[]) {
      assert.ok(fs.existsSync(file), file);
    }
  }
});
