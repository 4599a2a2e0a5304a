// Copyright The ctx-lsp authors. MIT licence.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

const read = (file: string): Record<string, string> =>
  JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
const manifestText = fs.readFileSync('package.json', 'utf8');

test('every string of the manifest is translatable, and no translation is left over', () => {
  const used = new Set([...manifestText.matchAll(/"%([^%"]+)%"/g)].map((m) => m[1] as string));
  const nls = read('package.nls.json');
  assert.deepEqual(
    [...used].filter((k) => !(k in nls)),
    [],
  );
  assert.deepEqual(
    Object.keys(nls).filter((k) => !used.has(k)),
    [],
  );
  for (const key of ['"title"', '"category"', '"markdownDescription"', '"altText"']) {
    for (const [, value] of manifestText.matchAll(new RegExp(`${key}: "([^"]*)"`, 'g'))) {
      assert.match(value as string, /^%.*%$/, `${key} ${value}`);
    }
  }
});

test('every string of the code is in the bundle that translators get', () => {
  const bundle = read('l10n/bundle.l10n.json');
  const said = new Set<string>();
  for (const file of fs.readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'))) {
    const source = fs.readFileSync(path.join('src', file), 'utf8');
    for (const [, single, double] of source.matchAll(/\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)) {
      said.add((single ?? double ?? '').replace(/\\(['"])/g, '$1'));
    }
  }
  assert.ok(said.size > 50);
  assert.deepEqual(
    [...said].filter((s) => !(s in bundle)),
    [],
    'run “npm run l10n”',
  );
  assert.deepEqual(
    Object.keys(bundle).filter((s) => !said.has(s)),
    [],
    'run “npm run l10n”',
  );
});

test('a translation has the placeholders of its original', () => {
  const holes = (s: string): string[] => (s.match(/\{\d\}/g) ?? []).sort();
  const bundle = read('l10n/bundle.l10n.json');
  for (const file of fs.readdirSync('l10n').filter((f) => f !== 'bundle.l10n.json')) {
    for (const [original, translation] of Object.entries(read(path.join('l10n', file)))) {
      assert.ok(original in bundle, `${file}: ${original}`);
      assert.deepEqual(holes(translation), holes(original), `${file}: ${original}`);
    }
  }
});

test('the manifest asks for nothing more than it needs', () => {
  const manifest = JSON.parse(manifestText) as {
    activationEvents: string[];
    capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  };
  assert.ok(!manifest.activationEvents.includes('*'));
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  for (const key of ['ctx.agents', 'ctx.server.path', 'ctx.server.extraEnv', 'ctx.server.engine']) {
    assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(key), key);
  }
});

test('the README names every setting and every word of trouble', () => {
  const readme = fs.readFileSync('README.md', 'utf8');
  const settings = [...manifestText.matchAll(/"(ctx\.[\w.]+)": \{/g)].map((m) => m[1] as string);
  assert.ok(settings.length > 15);
  for (const setting of settings) {
    const last = setting.split('.').at(-1) as string;
    assert.ok(readme.includes(`\`${setting}\``) || readme.includes(`\`.${last}\``), setting);
  }
  for (const words of [
    'no daemon',
    'wrong version',
    'daemon crashed',
    'daemon silent',
    'no calculator',
    'bad setting',
  ]) {
    assert.ok(readme.includes(`\`${words}\``), words);
  }
});

test('every language is complete, keeps commands and code as they are, and is packed', () => {
  const originals = { 'l10n/bundle.l10n': read('l10n/bundle.l10n.json'), 'package.nls': read('package.nls.json') };
  const fixed = (s: string): string[] => (s.match(/\(command:[^)]*\)|`[^`]*`/g) ?? []).sort();
  for (const [name, original] of Object.entries(originals)) {
    for (const language of ['de', 'ja', 'zh-cn']) {
      const file = `${name}.${language}.json`;
      const translation = read(file);
      assert.deepEqual(
        Object.keys(original).filter((k) => !translation[k]),
        [],
        `${file} lacks these`,
      );
      for (const [key, text] of Object.entries(translation)) {
        const english = original[key];
        assert.ok(english !== undefined, `${file} has “${key}”, which nobody says`);
        assert.deepEqual(fixed(text), fixed(english), `${file}: ${key}`);
      }
      // A text of placeholders and signs alone is the same in other languages.
      const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\d+\}/g, ''));
      const same = Object.entries(translation).filter(([k, v]) => v === original[k] && hasWords(v));
      assert.ok(same.length < 20, `${file}: ${same.length} texts are still English`);
    }
  }
  const ignored = fs.readFileSync('.vscodeignore', 'utf8').split('\n');
  assert.ok(ignored.includes('!package.nls*.json') && ignored.includes('!l10n/bundle.l10n.*.json'));
});
