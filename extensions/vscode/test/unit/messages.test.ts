// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { after, before, test } from 'node:test';
import { parseConfig } from '../../src/config';
import { judge } from '../../src/daemon/probe';
import { inWords, learnPhrases } from '../../src/phrases';
import { forgottenPage } from '../../src/retold/forgot';
import { handover } from '../../src/summary';
import { reading } from '../reading';
import { l10n } from './vscode';

// A person with a German editor reads no English sentence of ours.

before(async () => {
  l10n.bundle = JSON.parse(fs.readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>;
  await learnPhrases();
});
after(() => {
  l10n.bundle = undefined;
});

const english = /\b(the|must|from|did|not|could|with|is|of|at|or|and|here)\b/;
const isGerman = (text: string): void => assert.doesNotMatch(text, english, text);

test('messages about wrong programs and settings', () => {
  for (const printed of ['no json', '{"schema":"ctx.version/9","reading":"ctx.reading/3"}']) {
    const probed = judge({ file: '/opt/x', from: 'setting' }, printed);
    assert.ok(!probed.ok);
    isGerman(probed.trouble.sentence);
  }
  const wrong: Record<string, unknown> = {
    'statusItem.enabled': 1,
    'statusItem.format': 7,
    'statusItem.template': 7,
    'server.path': 7,
    'server.extraEnv': 7,
  };
  const { problems } = parseConfig((key) => wrong[key]);
  assert.equal(problems.length, 5);
  for (const problem of problems) {
    isGerman(problem);
  }
});

test('messages about a vocabulary that the daemon downloads', () => {
  for (const id of ['vocabularyFetching', 'vocabularyFailed', 'vocabularyInstalled', 'vocabularyOffer']) {
    isGerman(inWords({ id, args: ['claude', '4,7 MB', 'example.org', 'MIT'] }, 'the English text'));
  }
  isGerman(inWords({ id: 'engineCompiling' }, 'the English text'));
});

test('why the daemon does not answer', () => {
  for (const file of ['src/daemon/daemon.ts', 'src/daemon/probe.ts', 'src/supervisor.ts']) {
    const source = fs.readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
    const bare = [
      ...source.matchAll(/(?<!vscode\.l10n\.t\()(?<!vscode\.l10n\.t\(\s+)(['`])(?:The |\{0\}|\$\{where)[^'`]*\.\1/g),
    ];
    assert.deepEqual(
      bare.map(([all]) => all).filter((s) => !s.includes('connection to the daemon is closed')),
      [],
      file,
    );
    const translated = [...source.matchAll(/vscode\.l10n\.t\(\s*'([^']*)'/g)];
    assert.ok(translated.length > 0, file);
    for (const [, sentence = ''] of translated) {
      isGerman(l10n.t(sentence, 7, 'x', 7, 7));
    }
  }
});

test('the copied facts and the list of dropped items', () => {
  const facts = handover(
    reading({ branch: 'main', file: '/t.jsonl', advice: [], breakdown: [] }),
    {
      items: [
        { kind: 'toolResults', what: '', label: { text: '' }, tokens: 31_000, basis: 'estimated', share: 25 },
        {
          kind: 'summary',
          what: '',
          label: { text: 'Summary', id: 'summary' },
          tokens: 2600,
          basis: 'estimated',
          share: 1,
        },
      ],
      total: 2,
    } as never,
    [],
  );
  isGerman(facts);
  assert.doesNotMatch(facts, /toolResults|Summary/);
  const none = { items: 0, tokens: 0 };
  isGerman(
    forgottenPage(
      {
        items: [{ kind: 'user', label: 'User', excerpt: 'Hallo', tokens: 5, state: 'kept' }],
        kept: { items: 2, tokens: 1200 },
        inSummary: none,
        gone: { items: 5, tokens: 88_000 },
        unknown: none,
        total: 89_200,
        basis: 'estimated',
        largest: [{ kind: 'user', label: 'User', excerpt: 'Hallo', tokens: 5, items: 1 }],
        more: { items: 4, tokens: 87_995 },
        text: 'Of 89k tokens in the conversation, 1.2k were kept, 0 are mentioned in the summary, and 88k were dropped.',
        summary: 'Weiter.',
        summaryTells: true,
      } as never,
      'Wiederholungen',
      { count: 1, last: null },
    ),
  );
});
