// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { Dated, Panel, PanelRow, PanelSection } from '../../api/types';
import { shortAge } from '../names';
import { words } from '../phrases';
import type { ShownRow, ShownSection } from './messages';

/** Returns the long form of a panel in the user's language, at one moment. Sections without rows are omitted. */
export function shownPanel({ sections }: Panel, now: number): ShownSection[] {
  return sections
    .filter(isLong)
    .map(({ id, title, rows }) => ({
      id,
      title: words(title),
      rows: rows.filter(isLong).flatMap((r) => shown(r, now)),
    }))
    .filter(({ rows }) => rows.length > 0);
}

/** Returns the rows of a section of a Reading's panel in the user's language, at one moment: of both forms or one. */
export function rowsOf(
  { panel }: Pick<Reading, 'panel'>,
  section: string,
  now: number,
  isWanted: (row: PanelRow) => boolean = () => true,
): ShownRow[] {
  const rows = panel?.sections.find(({ id }) => id === section)?.rows ?? [];
  return rows.filter(isWanted).flatMap((row) => shown(row, now));
}

/** Returns the values of the named rows of a section; those that the panel does not have are left out. */
export function valuesOf(
  reading: Pick<Reading, 'panel'>,
  section: string,
  ids: readonly string[],
  now: number,
): string[] {
  return rowsOf(reading, section, now)
    .filter(({ id }) => ids.includes(id))
    .map(({ value }) => value);
}

export const isLong = ({ only }: PanelRow | PanelSection): boolean => only !== 'short';

function shown(row: PanelRow, now: number): ShownRow[] {
  const dated = row.dated?.findLast(({ from }) => from <= now);
  const value = row.dated ? dated && at(dated, now) : words(row.value);
  return value ? [{ ...row, label: words(row.label), value, note: words(row.note), short: words(row.short) }] : [];
}

/** Returns a dated value with its time. */
function at({ value, at: time, as }: Dated, now: number): string {
  return typeof time === 'number' ? words(value).replace('{time}', () => written(time, as, now)) : words(value);
}

function written(time: number, as: Dated['as'], now: number): string {
  switch (as) {
    case 'minutes':
      return vscode.l10n.t('{0} min', Math.floor((time - now) / 60_000) + 1);
    case 'age': // as in “last record {time} ago” and “waits for you for {time}”
      return now - time < 60_000 ? vscode.l10n.t('<1 min') : shortAge({ asOf: time }, now);
    default: {
      const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
      const today = new Date(time).toDateString() === new Date(now).toDateString();
      return new Intl.DateTimeFormat(
        vscode.env.language,
        today ? clock : { dateStyle: 'short', timeStyle: 'short' },
      ).format(time);
    }
  }
}
