// Copyright The ctx-lsp authors. MIT licence.

import type { Panel, PanelRow } from '../api/types';

type Row = Omit<Partial<PanelRow>, 'label' | 'value' | 'note'> & { label?: string; value?: string; note?: string };

/** The rows of the panel of `reading()`, by section and id. */
const usual: Record<string, Row[]> = {
  session: [
    { id: 'agent', label: 'Agent', value: 'Claude Code' },
    { id: 'model', label: 'Model', value: 'claude-opus-4-6' },
  ],
  window: [
    { id: 'full', value: '62% full' },
    { id: 'usage', label: 'Window', value: '62%', note: '124k of 200k', share: 62 },
    { id: 'until', value: 'about 6 requests until it compacts' },
  ],
  parts: [
    { id: 'part', kind: 'toolResults', label: 'Tool results', value: '~80,000', share: 40, bar: 100 },
    { id: 'part', kind: 'system', label: 'System prompt', value: '24,000', share: 12, bar: 30 },
    { id: 'part', kind: 'user', label: 'User', value: '~20,000', share: 10, bar: 25 },
    { id: 'left', label: 'Left', value: '41,000', note: 'until it compacts at 165,000' },
  ],
  contents: [
    { id: 'part', kind: 'system', label: 'System prompt', value: '24,000', share: 12, bar: 30 },
    { id: 'part', kind: 'user', label: 'User', value: '~20,000', share: 10, bar: 25 },
    { id: 'part', kind: 'toolResults', label: 'Tool results', value: '~80,000', share: 40, bar: 100 },
    { id: 'used', label: 'Used', value: '124,000', share: 62 },
  ],
};

/** A panel by hand, for tests of what is drawn. Changed sections replace the usual rows of the same ids. */
export function panel(changed: Record<string, Row[]> = {}): Panel {
  const sections = Object.entries({ ...usual, ...changed }).map(([id, rows]) => {
    const others = (usual[id] ?? []).filter((row) => !rows.some((r) => r.id === row.id));
    return { id, title: { text: id }, rows: [...others, ...rows].map(made) };
  });
  return { sections };
}

function made({ label, value, note, ...row }: Row): PanelRow {
  const texts = Object.entries({ label, value, note }).filter(([, text]) => text !== undefined);
  return { id: '', ...row, ...Object.fromEntries(texts.map(([key, text]) => [key, { text }])) } as PanelRow;
}
