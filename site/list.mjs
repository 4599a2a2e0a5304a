// Copyright The ctx-lsp authors. MIT licence.

// Writes docs/README.md, the list of all documents, from contents.mjs. With --check it fails if the list is not up to
// date.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sections, titleOf } from './contents.mjs';

const root = join(import.meta.dirname, '..');
const list = join(root, 'docs/README.md');

/** The question that each page answers, in the order of the menu. */
const answers = {
  'README.md': 'what ctx-lsp is, and how to try it',
  'docs/agents.md': 'which agents are read, how well, and which were run in the lab',
  'docs/compaction.md': 'when agents compact, and how to set a threshold',
  'docs/clock.md': 'until when the prompt cache is warm, and what a compaction showed',
  'docs/hosts.md': 'how to connect your own program',
  'docs/security.md': 'what is read, kept and sent, with the test of each promise',
  'docs/redaction.md': 'which values are removed from texts for others',
  'docs/commands.md': 'every command and flag, and the settings file',
  'docs/editors.md': 'recipes for editors, status lines, tmux and shells',
  'extensions/browser/README.md': 'the badge on ChatGPT, Claude, Gemini and other chat sites',
  'docs/check.md': 'prompt files in a pipeline',
  'docs/mcp.md': 'tools with which an agent asks about its own context',
  'docs/handover.md': 'notes for the next session, and what a compaction dropped',
  'docs/sight.md': 'which lines of a file are in the next request',
  'docs/windows.md': 'what works on Windows',
  'docs/export.md': 'past sessions as rows of a table',
  'docs/telemetry.md': 'measurements of many machines; a page for works councils',
  'docs/accuracy.md': 'how far predictions are off, and why',
  'docs/performance.md': 'speed and memory, beside other programs',
  'docs/compatibility.md': 'what stays stable between versions',
  'SECURITY.md': 'how to report a weakness, and how to check a download',
  'docs/protocol.md': 'every method, field and error',
  'docs/daemon.md': 'the language server: settings, notifications, shared daemons',
  'wasm/js/README.md': 'the core in Node, browsers and workers',
  'python/README.md': 'the client for programs in Python',
  'docs/tokens.md': 'how tokens are counted, and vocabularies',
  'docs/models.md': 'where limits of models come from',
  'docs/providers.md': 'which usage objects are understood',
  'docs/sites.md': 'how to add a chat site to the browser extension',
  'docs/architecture.md': 'packages, data flow, glossary',
  'RATIONALE.md': 'the reasons for contested decisions',
  'CONTRIBUTING.md': 'how to change ctx-lsp',
  'docs/releasing.md': 'how a release is made',
  'CHANGELOG.md': 'what changed',
};

const link = (file) => (file.startsWith('docs/') ? file.slice('docs/'.length) : `../${file}`);

function text() {
  let out =
    '# Documents\n\n<!-- Code generated from site/contents.mjs by site/list.mjs; do not edit. -->\n\n' +
    'New here? Read five pages in this order: [README](../README.md), [Agents](agents.md),\n' +
    '[Compaction](compaction.md), [Connect your own program](hosts.md), [Security model](security.md). Everything else is\n' +
    'reference.\n';
  for (const section of sections) {
    out += `\n## ${section.title}\n\n`;
    for (const file of section.files) {
      if (!answers[file]) {
        throw new Error(`site/list.mjs does not say what ${file} answers`);
      }
      const title = titleOf(file, readFileSync(join(root, file), 'utf8'));
      out += `- [${title === 'Start' ? 'README' : title}](${link(file)}): ${answers[file]}\n`;
    }
  }
  return out;
}

if (process.argv.includes('--check')) {
  if (readFileSync(list, 'utf8').replaceAll('\r\n', '\n') !== text()) {
    console.error('docs/README.md is not up to date; run `node site/list.mjs`');
    process.exitCode = 1;
  }
} else {
  writeFileSync(list, text());
}
