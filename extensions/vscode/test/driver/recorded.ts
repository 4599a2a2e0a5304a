// Copyright The ctx-lsp authors. MIT licence.

import * as fs from 'node:fs';
import * as path from 'node:path';

// Recorded sessions enter a home that a daemon watches through this file. A daemon lists a session as an earlier one
// after a day, so a recording with its own dates would pass for a day and fail from then on.

const day = 86_400_000;

/** How far the daemon's clock is ahead of the system's: CTX_TEST_DAYS_AHEAD, which `make test-shifted` sets. */
export const ahead = Number(process.env.CTX_TEST_DAYS_AHEAD ?? 0) * day;

/** Returns the time of the daemon's clock. */
export const now = (): number => Date.now() + ahead;

/** How old the newest record of a session may be that did not enter through this file. */
const RECENT = day / 2;

/** The files that entered through this file. */
const entered = new Set<string>();

/** Notes that a file's dates are relative to now(). */
export function enter(file: string): void {
  entered.add(path.resolve(file));
}

// Every form in which recordings have dates: ISO 8601 with "T" or a space, with ":" or in file names "-" within the
// time, with or without seconds, fraction and zone; a day alone, also as folders; and seconds, milliseconds,
// microseconds or nanoseconds since 1970.
const written =
  /(?<!\d)(20[2-9]\d)([-/])(\d\d)\2(\d\d)(?:([T ])(\d\d)([:-])(\d\d)(?:\7(\d\d)(?![0-9A-Ya-z]))?)?(\.\d{1,9}|-\d{3}(?=Z))?(Z|[+-]\d\d:\d\d)?(?!\d)/g;
const counted = /(?<![\w.])1[6-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?!\w)/g;
/** The end of a text before a date that is no record's time: it is in the future. */
const future = /(?:reset|expir|until)\w*["']?\s*[:=,]\s*["']?$/i;

/**
 * Calls `of` with each date of a text in milliseconds, and returns the text with the dates that `of` returns. A day
 * alone is at its midnight, which `isDay` says.
 */
function eachDate(text: string, of: (at: number, isFuture: boolean, isDay: boolean) => number): string {
  const isFuture = (offset: number): boolean => future.test(text.slice(Math.max(0, offset - 40), offset));
  return text
    .replace(written, (date: string, ...found: (string | undefined)[]) => {
      const [year, between = '', month, dayOf, t, hour, colon = '', minute, second, fraction = '', zone = ''] = found;
      const offset = Number(found[11]);
      if (t === undefined && /[\w-]/.test(text.charAt(offset - 1))) {
        return date; // part of a model's name, for example
      }
      const local = Date.parse(`${year}-${month}-${dayOf}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}Z`);
      if (Number.isNaN(local)) {
        return date;
      }
      const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(zone) ?? [];
      const east = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
      const to = new Date(of(local - east, isFuture(offset), t === undefined) + east).toISOString();
      const time = to.slice(11, second === undefined ? 16 : 19).replaceAll(':', colon);
      return `${to.slice(0, 10).replaceAll('-', between)}${t === undefined ? '' : t + time}${fraction}${zone}`;
    })
    .replace(counted, (number: string, offset: number) => {
      const seconds = of(Number(number.slice(0, 10)) * 1000, isFuture(offset), false) / 1000;
      return `${Math.round(seconds)}${number.slice(10)}`;
    });
}

/** Returns the newest date of texts that is not of a time to come; undefined without one. */
export function newest(...texts: string[]): number | undefined {
  let at: number | undefined;
  for (const text of texts) {
    eachDate(text, (date, isFuture) => {
      if (!isFuture) {
        at = Math.max(at ?? date, date);
      }
      return date;
    });
  }
  return at;
}

/** The files of one recorded session, by their path under the folder that they enter. */
export type Recording = Record<string, string>;

/** Returns a recording with all dates of its texts and paths moved: its newest record is `ago` milliseconds old. */
export function moved(recording: Recording, ago = 60_000): Recording {
  const last = newest(...Object.values(recording));
  if (last === undefined) {
    throw new Error(`the recording has no date: ${Object.keys(recording).join(', ')}`);
  }
  // Whole seconds, so that every form of one date stays that of one date.
  const by = Math.floor((now() - ago - last) / 1000) * 1000;
  // A day alone is moved like the newest record, so that a folder stays that of its day.
  const move = (text: string): string => eachDate(text, (at, _, isDay) => at + by + (isDay ? last % day : 0));
  return Object.fromEntries(Object.entries(recording).map(([file, text]) => [move(file), move(text)]));
}

/** Writes a recording under a folder, by `write` if it is not plain text, and returns the files that it wrote. */
export function place(
  folder: string,
  recording: Recording,
  { ago = 60_000, write = fs.writeFileSync as (file: string, text: string) => void } = {},
): string[] {
  return Object.entries(moved(recording, ago)).map(([name, text]) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    enter(file);
    write(file, text);
    const at = (Date.now() - ago) / 1000; // the system's own clock: the daemon moves the times of files itself
    fs.utimesSync(file, at, at);
    return file;
  });
}

/** Folders of a home that hold no sessions: they are the editor's own or large. */
const others = new Set(['.cache', '.state', 'code-server', 'node_modules', '.git']);
const ofSessions = /\.(jsonl?|db)$/;

/** Throws if a file below a folder holds a recorded session that did not enter through this file. */
export function refuseUnmoved(folder: string): void {
  if (!fs.existsSync(folder)) {
    return;
  }
  for (const found of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, found.name);
    if (found.isDirectory()) {
      if (!others.has(found.name)) {
        refuseUnmoved(file);
      }
    } else if (found.isFile() && ofSessions.test(found.name) && !entered.has(path.resolve(file))) {
      const last = newest(textOf(file));
      if (last !== undefined && now() - last > RECENT) {
        throw new Error(
          `${file} has no record after ${new Date(last).toISOString()}: a recorded session enters through place() of driver/recorded.ts, which moves its dates`,
        );
      }
    }
  }
}

/** Returns the text of a file, byte by byte; empty if it has been removed. */
function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
