// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { SightRange, SightState } from '../api/types';
import { escaped } from './markdown';
import { words } from './phrases';

/** The states that have marks, and their shapes: they differ without their colors too. Lines never sent have none. */
const shapes: Partial<Record<SightState, string>> = {
  verbatim: '<path d="M6 0h4v16H6z"/>',
  own: '<path d="M5 0h2v16H5zM9 0h2v16H9z"/>',
  stale: '<path d="M8 3l5 9H3z"/>',
  summarized: '<path d="M6 1h4v3H6zM6 6h4v3H6zM6 11h4v3H6z"/>',
  gone: '<path d="M3 4l1-1 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4z"/>',
  unknown: '<path d="M8 4a4 4 0 100 8 4 4 0 000-8zm0 2a2 2 0 110 4 2 2 0 010-4z"/>',
};

/** The colors of the shapes on a dark and on a light background. */
const colors: Record<string, readonly [dark: string, light: string]> = {
  verbatim: ['#73c991', '#1b6e36'],
  own: ['#75beff', '#0b5cad'],
  stale: ['#e2c08d', '#8a5300'],
  summarized: ['#d7a6ff', '#7a35b5'],
  gone: ['#f48771', '#b01011'],
  unknown: ['#c5c5c5', '#5f5f5f'],
};

/** The marks of one window: a decoration type for each state. */
export class SightMarks implements vscode.Disposable {
  private readonly types = new Map<SightState, vscode.TextEditorDecorationType>();

  constructor() {
    for (const [state, shape] of Object.entries(shapes)) {
      const icon = (color = ''): vscode.Uri =>
        vscode.Uri.parse(
          `data:image/svg+xml;utf8,${encodeURIComponent(
            `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" fill="${color}">${shape}</svg>`,
          )}`,
        );
      const [dark, light] = colors[state] ?? [];
      this.types.set(
        state as SightState,
        vscode.window.createTextEditorDecorationType({
          isWholeLine: true,
          overviewRulerLane: vscode.OverviewRulerLane.Left,
          overviewRulerColor: new vscode.ThemeColor(`ctx.sight.${state}`),
          gutterIconSize: '70%',
          dark: { gutterIconPath: icon(dark) },
          light: { gutterIconPath: icon(light) },
        }),
      );
    }
  }

  show(editor: vscode.TextEditor, ranges: readonly SightRange[]): void {
    for (const [state, type] of this.types) {
      editor.setDecorations(
        type,
        ranges
          .filter((range) => range.state === state && range.from > 0)
          .map((range) => ({
            range: new vscode.Range(range.from - 1, 0, range.to - 1, Number.MAX_SAFE_INTEGER),
            hoverMessage: new vscode.MarkdownString(rangeHovers(range)),
          })),
      );
    }
  }

  dispose(): void {
    for (const type of this.types.values()) {
      type.dispose();
    }
  }
}

/** Returns what a hover says of a range: its state, its item, and the time. */
export function rangeHovers({ text, at }: SightRange): string {
  const sentence = escaped(words(text));
  if (at === null) {
    return `${sentence}.`;
  }
  const time = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return `${sentence}, ${escaped(time)}.`;
}
