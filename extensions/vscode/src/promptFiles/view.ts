// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { escaped, row } from '../markdown';

/** A prompt file as `ctx/document` answers it; places are in bytes of UTF-8. */
export interface View {
  readonly path: string;
  readonly kind: string;
  readonly title: string;
  readonly agent: string;
  readonly model: string;
  readonly modelChosen: boolean;
  readonly load: {
    readonly when: 'always' | 'path' | 'demand' | string;
    readonly globs: readonly string[] | null;
    readonly why: string;
  };
  readonly tokens: number;
  readonly listed: number;
  readonly imported: number;
  readonly files: number;
  readonly total: number;
  readonly sections: readonly Section[] | null;
  readonly imports: readonly Import[] | null;
  readonly findings: readonly Finding[] | null;
  readonly display: {
    readonly mark: string;
    readonly tokens: string;
    readonly imported: string;
    readonly total: string;
    readonly listed: string;
    readonly share: string;
    readonly limit: string;
  };
}

export interface Section {
  readonly title: string;
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly own: number;
  readonly tokens: number;
  readonly display: string;
  readonly ownDisplay: string;
}

export interface Import {
  readonly target: string;
  readonly from: number;
  readonly to: number;
  readonly id: string;
  readonly problem: string;
  readonly tokens: number;
  readonly all: number;
  readonly display: string;
}

export interface Finding {
  readonly from: number;
  readonly to: number;
  readonly severity: number;
  readonly code: string;
  readonly message: string;
}

/** The line above a prompt file: what it weighs, when it is loaded, what its imports bring. */
export function headline(view: View): string {
  const parts = [vscode.l10n.t('{0} tokens', view.display.tokens)];
  parts.push(
    view.load.when === 'demand' && view.listed > 0
      ? vscode.l10n.t('on demand ({0} always)', view.display.listed)
      : loaded(view),
  );
  const missing = (view.imports ?? []).filter((i) => i.problem === 'missing').length;
  if (view.files > 0) {
    parts.push(
      view.files === 1
        ? vscode.l10n.t('1 import +{0}', view.display.imported)
        : vscode.l10n.t('{0} imports +{1}', view.files, view.display.imported),
    );
  } else if (missing > 0) {
    parts.push(missing === 1 ? vscode.l10n.t('1 import missing') : vscode.l10n.t('{0} imports missing', missing));
  }
  if (view.display.share) {
    parts.push(vscode.l10n.t('{0} of {1}', view.display.share, view.display.limit));
  }
  return parts.join(' · ');
}

function loaded(view: View): string {
  switch (view.load.when) {
    case 'always':
      return vscode.l10n.t('in every request');
    case 'path': {
      const globs = view.load.globs ?? [];
      return vscode.l10n.t('loaded for {0}', globs.length > 2 ? `${globs.slice(0, 2).join(', ')} …` : globs.join(', '));
    }
    default:
      return vscode.l10n.t('on demand');
  }
}

export function sectionTooltip(section: Section): string {
  const text = vscode.l10n.t('{0} tokens in this section', section.display);
  return section.own === section.tokens
    ? text
    : `${text}, ${vscode.l10n.t('{0} of them before the next heading', section.ownDisplay)}`;
}

/** What there is to say of the whole file, as Markdown. */
export function breakdownMarkdown(view: View): string {
  const lines = [
    `**${vscode.l10n.t('{0} tokens', escaped(view.display.total))}** · ${escaped(view.title)}`,
    escaped(view.load.why),
  ];
  if (view.display.share) {
    lines.push(
      escaped(vscode.l10n.t('{0} of the window of {1} of {2}', view.display.share, view.display.limit, view.model)),
    );
  }
  if (view.files > 0) {
    const rows = (view.imports ?? [])
      .filter((i) => i.id && i.problem !== 'repeated')
      .map((i) => row(escaped(`@${i.target}`), escaped(i.display)));
    lines.push(
      [
        row(vscode.l10n.t('part'), vscode.l10n.t('tokens')),
        '|:--|--:|',
        row(vscode.l10n.t('this file'), escaped(view.display.tokens)),
        ...rows,
      ].join('\n'),
    );
  }
  const heaviest = [...(view.sections ?? [])].sort((a, b) => (a.own < b.own ? 1 : a.own > b.own ? -1 : 0)).slice(0, 8);
  if (heaviest.length > 1) {
    lines.push(
      [
        row(vscode.l10n.t('section'), vscode.l10n.t('tokens')),
        '|:--|--:|',
        ...heaviest.map((s) => row(escaped(s.title), escaped(s.ownDisplay))),
      ].join('\n'),
    );
  }
  if (view.display.mark === '~') {
    lines.push(escaped(vscode.l10n.t('~ marks an estimate: this model’s tokenizer is not public.')));
  }
  return lines.join('\n\n');
}

export function sectionMarkdown(section: Section): string {
  return `**${vscode.l10n.t('{0} tokens', escaped(section.display))}** · ${escaped(section.title)}`;
}

export function importMarkdown(i: Import): string {
  switch (true) {
    case i.problem === 'missing':
      return escaped(vscode.l10n.t('There is no file {0}.', i.target));
    case i.problem === 'outside':
      return escaped(vscode.l10n.t('{0} lies outside of what is read here; its tokens are not known.', i.target));
    case i.problem === 'repeated':
      return escaped(vscode.l10n.t('{0} is imported already; it is counted once.', i.target));
    case i.id === '':
      return escaped(vscode.l10n.t('{0} is not read.', i.target));
    default:
      return `**${vscode.l10n.t('{0} tokens', escaped(i.display))}** · ${escaped(i.target)}`;
  }
}
