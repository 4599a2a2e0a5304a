// Copyright The ctx-lsp authors. MIT licence.

/** The documents of the site by the sections of its menu, with their paths in the repository. */
export const sections = [
  {
    title: 'Use',
    files: [
      'README.md',
      'docs/commands.md',
      'docs/agents.md',
      'docs/compaction.md',
      'docs/clock.md',
      'docs/editors.md',
      'extensions/browser/README.md',
      'docs/check.md',
      'docs/mcp.md',
      'docs/handover.md',
      'docs/sight.md',
      'docs/windows.md',
    ],
  },
  {
    title: 'Trust',
    files: [
      'docs/accuracy.md',
      'docs/performance.md',
      'docs/security.md',
      'docs/redaction.md',
      'docs/compatibility.md',
      'SECURITY.md',
    ],
  },
  { title: 'Teams', files: ['docs/telemetry.md', 'docs/export.md'] },
  {
    title: 'Build on it',
    files: [
      'docs/hosts.md',
      'docs/protocol.md',
      'docs/daemon.md',
      'wasm/js/README.md',
      'python/README.md',
      'docs/tokens.md',
      'docs/models.md',
      'docs/providers.md',
      'docs/sites.md',
    ],
  },
  {
    title: 'The project',
    files: ['docs/architecture.md', 'RATIONALE.md', 'CONTRIBUTING.md', 'docs/releasing.md', 'CHANGELOG.md'],
  },
];

export const files = sections.flatMap((section) => section.files);

/**
 * Returns the path of a document on the site: the root's README.md is the start page, and all other names end in .html.
 */
export const pageOf = (file) => (file === 'README.md' ? 'index.html' : file.replace(/\.md$/, '.html'));

/** Returns the title of a document in the menu: its first heading. */
export const titleOf = (file, text) =>
  file === 'README.md' ? 'Start' : (/^# (.+)$/m.exec(text)?.[1] ?? file).replaceAll('`', '');
