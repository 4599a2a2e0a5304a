// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { Items, Reading } from '../../api/protocol';
import type { Found } from '../../src/backend';
import { foundLines, foundText } from '../../src/found';
import { learnPhrases } from '../../src/phrases';
import { fillGroups, fillItem, fillLeaves } from '../../src/view/fillNodes';
import { canOpen } from '../../src/view/place';
import { selectedLine } from '../../src/view/selected';
import { nodesBelow, type SessionNode, sessionItem, topNodes } from '../../src/view/sessionNodes';
import { allowanceSentence, lead } from '../../src/words';
import { panel } from '../panel';
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
/** The text of a line, which may be highlighted. */
const textOf = ({ label }: { label?: string | { label: string } }): string =>
  typeof label === 'object' ? label.label : String(label);
/** The names of lines. */
const labels = (nodes: SessionNode[]): string[] => nodes.map((n) => textOf(sessionItem(n, view)));
/** The icon of a line, and its colour. */
const iconOf = ({ iconPath }: { iconPath?: unknown }): unknown[] => {
  const { id, color } = iconPath as { id: string; color?: { id: string } };
  return [id, color?.id];
};

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
  const items = nodes.slice(1, 3).map((n) => sessionItem(n, view));
  assert.deepEqual(
    items.map((item) => [textOf(item), item.description, ...iconOf(item)]),
    [
      ['An hour ago', '1 h', 'ctx-bar-3', 'ctx.idleForeground'],
      ['Unknown', '1 h', 'circle-outline', 'ctx.idleForeground'],
    ],
  );
  assert.match(String(items[0]?.tooltip), /^An hour ago\n62% · 124k · 200k\nm\nCodex · 1 h ago\n/);
  assert.equal(sessionItem(nodesBelow(nodes[3] as SessionNode)[0] as SessionNode, view).description, '1 h');
  assert.match(String(sessionItem(nodesBelow(nodes[3] as SessionNode)[0] as SessionNode, view).tooltip), /≥62%/);
  assert.deepEqual(labels(nodesBelow(nodes[4] as SessionNode)), ['Old']);
});

test('a row has a bar in the colour of its level, a name, and what a narrow view has room for; the hover has the rest', () => {
  const row = (change: Partial<Reading>, shown?: string) =>
    sessionItem(
      { kind: 'session', reading: reading({ asOf: now - 120_000, ...change }), parent: undefined },
      { ...view, shown },
    );
  const item = row({ title: 'Fix the retry logic', activity: 'waiting', waitingFor: 'approval' });
  assert.deepEqual([textOf(item), item.description], ['Fix the retry…', 'approval']);
  assert.deepEqual(iconOf(item), ['ctx-bar-3', 'charts.green']);
  assert.equal(row({}).description, '62%');
  assert.equal(row({ activity: 'idle' }).description, '2 min');
  const compaction = (level: 'soon' | 'now') => ({ compaction: { ...reading().compaction, level } });
  assert.deepEqual(iconOf(row(compaction('soon'))), ['ctx-bar-3', 'list.warningForeground']);
  assert.deepEqual(iconOf(row(compaction('now'))), ['ctx-bar-3', 'list.errorForeground']);
  assert.deepEqual(iconOf(row({ ...compaction('now'), activity: 'idle' })), ['ctx-bar-3', 'ctx.idleForeground']);
  assert.match(
    String(item.tooltip),
    /Fix the retry logic — Claude Code\n62% · 124k \/ 200k\nabout 6 requests until it compacts\n.*waiting for approval/,
  );
  const shown = row({ title: 'Fix it' }, 's1');
  assert.deepEqual([shown.label, shown.description], ['Fix it', '62% •']);
  assert.match(String(shown.accessibilityInformation?.label), /, shown$/);
  const long = textOf(row({ title: 'A title that goes on and on until nobody can see its age' }));
  assert.ok(long.length <= 15 && long.endsWith('…'), long);
  assert.doesNotMatch(textOf(row({ title: '$(error) x' })), /\$\(error\)/);
});

test('sub-agents are below their session, the fullest first', () => {
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
        label: { text: 'Read src/api.go' },
        times: 4,
        tokens: 31_000,
        basis: 'counted',
        share: 25,
        bar: 100,
        place: 42,
      },
      {
        index: 5,
        kind: 'user',
        what: '',
        label: { text: '' },
        times: 1,
        tokens: 900,
        basis: 'estimated',
        share: 1.73,
        bar: 2.9,
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
  assert.deepEqual([file?.label, file?.description], ['Read api.go ×4', '31k']);
  assert.deepEqual(iconOf(file ?? {}), ['ctx-bar-5', 'charts.blue']);
  assert.match(String(file?.tooltip), /^Read src\/api\.go ×4\n31,000 · 25%\n/);
  assert.equal(file?.command?.command, 'ctx.view.place');
  assert.equal(file?.command?.arguments, undefined, 'an editor forgets arguments when the tree is drawn again');
  assert.deepEqual(
    [user?.label, user?.description, ...iconOf(user ?? {})],
    ['User message', '~900', 'ctx-bar-0', 'charts.blue'],
  );
  assert.match(String(user?.tooltip), /^User message\n~900 · 1\.73%\n/);
  assert.equal(user?.command, undefined, 'nothing opens where the place is not known');
  const parts = fillLeaves(fill, 'parts').map((leaf) => fillItem(leaf, fill));
  assert.deepEqual(
    parts.map((part) => [part.label, part.description]),
    [
      ['System prompt', '24,000'],
      ['User', '~20,000'],
      ['Tool results', '~80,000'],
    ],
  );
  const closed = { ...fill, canOpen: false };
  assert.equal(fillItem(fillLeaves(closed, 'named')[0] as never, closed).command, undefined);
});

test('an MCP server has its name in its row, and its sentence in the hover', () => {
  const text = { text: 'github, 2 tools called, size unknown' };
  const fill = {
    reading: reading({
      mcpServers: [{ name: 'github', text } as never],
      panel: panel({ servers: [{ id: 'server', value: text.text }] }),
    }),
    items: undefined,
    canOpen: true,
  };
  const item = fillItem(fillLeaves(fill, 'servers')[0] as never, fill);
  assert.deepEqual([item.label, item.description, item.tooltip], ['github', '', `github\n${text.text}`]);
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

test('a path in a row is its last part, and a long name is cut at its end', () => {
  const item = {
    index: 1,
    kind: 'toolResults',
    times: 1,
    tokens: 1,
    basis: 'counted',
    share: 1,
    bar: 1,
    place: null,
  } as const;
  const items = [
    { ...item, what: 'file', label: { text: 'Read D:\\oh-my-posh\\src\\config\\segment.go' } },
    { ...item, what: 'file', label: { text: 'Read docs/planning/ROADMAP.md' } },
    { ...item, what: 'command', label: { text: 'Bash go test -race -run TestRetry ./...' } },
  ];
  const fill = { reading: reading(), items: { total: 3, items } as Items, canOpen: false };
  const rows = fillLeaves(fill, 'named').map((leaf) => fillItem(leaf, fill));
  assert.deepEqual(
    rows.map(({ label }) => label),
    ['Read segment.go', 'Read ROADMAP.md', 'Bash go test -race…'],
  );
  assert.match(String(rows[1]?.tooltip), /^Read docs\/planning\/ROADMAP\.md\n/);
});

test('only a transcript that is a text is opened', () => {
  assert.ok(canOpen(reading({ file: '/a/b.jsonl' })));
  assert.ok(!canOpen(reading({ file: '/a/opencode.db' })) && !canOpen(reading({ file: '/a/b.jsonl.zst' })));
  assert.ok(!canOpen(reading()));
});

test('one sentence leads: what is left until it compacts, or how full the window is', () => {
  assert.equal(lead(reading(), now), 'About 6 requests until it compacts');
  const unknown = reading({ panel: panel({ window: [{ id: 'until', value: '' }] }) });
  assert.equal(lead(unknown, now), '62% full');
});

test('limits and cache are shown as the agent reported them, and not after they expire', () => {
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

test('without a session the view shows what was searched and found, and the document lists all of it', () => {
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
