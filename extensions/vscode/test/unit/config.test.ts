// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { parseConfig, parsePromptFileConfig } from '../../src/config';

interface Manifest {
  contributes: {
    configuration: {
      properties: Record<
        string,
        {
          default: unknown;
          enum?: string[];
          enumDescriptions?: string[];
          markdownEnumDescriptions?: string[];
          scope?: string;
        }
      >;
    }[];
    commands: { command: string; category: string }[];
  };
}
const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8')) as Manifest;
const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map((c) => c.properties),
) as Manifest['contributes']['configuration'][0]['properties'];
const value = (key: string): unknown => properties[`ctx.${key}`]?.default;

test('the defaults in the code are those of the manifest', () => {
  const seen = new Set<string>();
  const tracked = (key: string): unknown => {
    seen.add(`ctx.${key}`);
    return value(key);
  };
  const fromManifest = [parseConfig(tracked), parsePromptFileConfig(tracked)];
  assert.deepEqual(fromManifest, [parseConfig(() => undefined), parsePromptFileConfig(() => undefined)]);
  const unread = Object.keys(properties).filter((k) => !seen.has(k) && k !== 'ctx.trace.server');
  assert.deepEqual(unread, [], 'settings that nothing reads');
});

test('every setting has a scope, and every choice a description', () => {
  for (const [key, p] of Object.entries(properties)) {
    assert.ok(p.scope, key);
    assert.equal(p.enum?.length, p.markdownEnumDescriptions?.length, key);
  }
});

test('a list of agents that cannot be used allows none', () => {
  assert.deepEqual(parseConfig(() => undefined).agents, ['all']);
  const of = (agents: unknown): readonly string[] =>
    parseConfig((key) => (key === 'agents' ? agents : undefined)).agents;
  assert.deepEqual(of(['codex', 'claude-code']), ['codex', 'claude-code']);
  for (const wrong of ['codex', 7, null, [7], ['a b'], ['codex,claude-code'], ['--shared=']]) {
    assert.deepEqual(of(wrong), [], JSON.stringify(wrong));
  }
});

test('a setting of the wrong type is ignored, and reported with the expected type', () => {
  const wrong: Record<string, unknown> = {
    'statusItem.format': 7,
    followFocus: 'yes',
    'server.path': ['x'],
    'server.extraEnv': { A: 1 },
    'notifications.now': null,
    'statusItem.template': 'x'.repeat(201),
  };
  const config = parseConfig((key) => wrong[key]);
  assert.equal(config.problems.length, Object.keys(wrong).length);
  assert.deepEqual({ ...config, problems: [] }, { ...parseConfig(() => undefined), problems: [] });
  assert.match(
    config.problems[0] ?? '',
    /^The setting ctx\.statusItem\.format is 7 but must be one of usedAndLeft, .*; "usedAndLeft" is used\.$/,
  );
});
