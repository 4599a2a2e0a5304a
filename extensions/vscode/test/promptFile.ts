// Copyright The ctx-lsp authors. MIT licence.

/** A workspace with prompt files; what the tests expect of them is the same on the desktop and on the web. */
export const promptFiles = {
  'AGENTS.md': [
    '# Rules',
    '',
    'Write tests first, and name the behaviour that each protects.',
    '',
    '## Style',
    '',
    'Short sentences. No jargon.',
    '',
  ].join('\n'),
  'CLAUDE.md': [
    '# Project',
    '',
    'Read @docs/style.md and @docs/missing.md before you begin.',
    '',
    '## Commands',
    '',
    'Run `make test` before every commit. 漢字 and 😀 are counted as well.',
    '',
  ].join('\n'),
  'docs/style.md': ['# Style', '', 'Short sentences. '.repeat(40), ''].join('\n'),
};
