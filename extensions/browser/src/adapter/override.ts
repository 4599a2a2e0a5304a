// Copyright The ctx-lsp authors. MIT licence.

import { shapes } from '../traffic/index';
import type { SiteData } from './data';

/** An imported site: its data, the entries taken from a file, and a message for each refused entry. */
export interface Overridden {
  data: SiteData;
  taken: string[];
  refused: string[];
}

type Check = (value: unknown) => string | null;

const most = 40;
const mostEntries = 200;
const longest = 400;

const text: Check = (v) =>
  typeof v === 'string' && v.length <= longest ? null : 'must be a string of at most 400 characters';
const whole: Check = (v) =>
  Number.isInteger(v) && (v as number) >= 0 && (v as number) <= 1e9 ? null : 'must be a number';

/** How many quantifiers without a fixed count a pattern may have. */
const mostRepeats = 3;

/**
 * Checks that a pattern compiles and cannot run forever: a repeated group, a quantifier right after another one, and
 * more quantifiers than any site needs are refused.
 */
const pattern: Check = (v) => {
  const wrong = text(v);
  if (wrong) return wrong;
  try {
    new RegExp(v as string);
  } catch {
    return 'is not a valid pattern';
  }
  const plain = (v as string)
    .replace(/\\./g, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/(?<!\))\{\d+\}/g, '');
  if (/\)[+*{]|[+*}]\??[^()|][+*{]/.test(plain)) return 'has nested repetitions';
  return (plain.match(/[+*{]/g) ?? []).length > mostRepeats ? 'has too many repetitions' : null;
};

const selector: Check = (v) => {
  const wrong = text(v);
  if (wrong) return wrong;
  if (typeof document === 'undefined') return null;
  try {
    document.createDocumentFragment().querySelector(v as string);
    return null;
  } catch {
    return 'is not a valid selector';
  }
};

const oneOf =
  (...values: readonly (string | boolean)[]): Check =>
  (v) =>
    values.includes(v as string | boolean) ? null : `must be one of ${values.join(', ')}`;

const list =
  (check: Check): Check =>
  (v) => {
    if (!Array.isArray(v) || v.length > most) return `must be a list of at most ${most}`;
    for (const [i, entry] of v.entries()) {
      const wrong = check(entry);
      if (wrong) return `number ${i + 1} ${wrong}`;
    }
    return null;
  };

/** Checks an object with exactly these fields; a field with `?` may be missing. */
const object =
  (fields: Record<string, Check>): Check =>
  (v) => {
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return 'must be an object';
    const own = new Map(Object.entries(v));
    for (const [name, check] of Object.entries(fields)) {
      const field = name.replace('?', '');
      const value = own.get(field);
      if (value === undefined && name.endsWith('?')) continue;
      const wrong = check(value);
      if (wrong) return `${field}: ${wrong}`;
      own.delete(field);
    }
    const [strange] = own.keys();
    return strange === undefined ? null : `unknown field ${strange}`;
  };

/** Checks an object with any names and one kind of value. */
const values =
  (check: Check): Check =>
  (v) => {
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return 'must be an object';
    const all = Object.entries(v);
    if (all.length > most) return `has more than ${most} entries`;
    for (const [name, value] of all) {
      const wrong = check(value);
      if (wrong) return `${name.slice(0, longest)}: ${wrong}`;
    }
    return null;
  };

const orNull =
  (check: Check): Check =>
  (v) =>
    v === null ? null : check(v);

const place = { at: list(selector), 'attribute?': text };

/** The check for each entry of a site. Entries that are not listed, the id and the hosts cannot be replaced. */
const entries: Partial<Record<keyof SiteData, Check>> = {
  inHash: oneOf(true, false),
  conversation: list(pattern),
  fresh: list(pattern),
  attributes: list(text),
  turn: list(selector),
  shell: list(selector),
  noShell: list(pattern),
  key: list(text),
  keyPart: pattern,
  keyIsId: oneOf(true, false),
  messageKey: list(text),
  position: list(object({ attribute: text, pattern, first: whole, 'firstAtMost?': whole })),
  total: list(object({ attribute: text, pattern })),
  loadsAtOnce: whole,
  holdsAll: oneOf(true, false),
  message: list(selector),
  user: list(selector),
  tool: list(selector),
  role: object({ attribute: text, user: text, assistant: text }),
  body: list(selector),
  drop: list(selector),
  lines: list(selector),
  tracking: list(pattern),
  thinking: list(selector),
  files: list(selector),
  pictures: list(selector),
  reports: list(selector),
  draft: list(selector),
  composer: list(selector),
  send: list(selector),
  theme: list(object({ ...place, dark: pattern })),
  model: object({
    slug: list(object(place)),
    chosen: list(object(place)),
    names: list(object({ pattern, model: text })),
    ids: list(object({ pattern, model: text })),
    'otherwise?': text,
  }),
  modes: orNull(
    object({
      places: list(object({ ...place, 'raw?': oneOf(true, false), 'alone?': oneOf(true, false) })),
      list: list(object({ id: text, texts: list(pattern), slugs: list(pattern), 'model?': text })),
      none: list(pattern),
    }),
  ),
  answers: list(
    object({
      path: pattern,
      method: oneOf('GET', 'POST'),
      'idIn?': pattern,
      'ofPage?': oneOf(true, false),
      'anywhere?': oneOf(true, false),
      reads: oneOf(...shapes),
      carries: list(oneOf('conversation', 'answer', 'usage', 'refusal', 'limits', 'models', 'plan')),
    }),
  ),
  plans: orNull(
    object({
      asOf: text,
      source: text,
      list: list(
        object({
          id: text,
          name: text,
          windows: values(whole),
          told: list(text),
        }),
      ),
    }),
  ),
  end: oneOf('drops', 'summarises', 'refuses', 'unknown'),
  unseen: orNull(
    object({
      asOf: text,
      sources: list(text),
      sizes: list(object({ model: pattern, least: whole, usual: whole, most: orNull(whole) })),
    }),
  ),
  cacheMinutes: object({ least: whole, most: whole }),
};

/**
 * Returns a site with a file's entries for it. Each entry is checked separately: an invalid one is refused with a
 * message, and the others are used.
 */
export function overridden(data: SiteData, file: unknown): Overridden {
  const out: Overridden = { data, taken: [], refused: [] };
  const own = typeof file === 'object' && file !== null ? (file as Record<string, unknown>)[data.id] : undefined;
  if (own === undefined) return out;
  if (typeof own !== 'object' || own === null || Array.isArray(own)) {
    out.refused.push(`${data.id}: is no object`);
    return out;
  }
  if (Object.keys(own).length > mostEntries) {
    out.refused.push(`${data.id}: has more than ${mostEntries} entries`);
    return out;
  }
  const changed: Record<string, unknown> = { ...data };
  for (const [entry, value] of Object.entries(own)) {
    const check = Object.hasOwn(entries, entry) ? entries[entry as keyof SiteData] : undefined;
    // No script runs in the page's own world on a site without endpoints, so its responses cannot be read.
    const isEmpty = Array.isArray(value) && value.length === 0;
    const deaf = entry === 'answers' && data.hosts.length > 0 && data.answers.length === 0 && !isEmpty;
    const wrong = deaf ? 'cannot be read on this site' : check ? check(value) : 'cannot be replaced';
    if (wrong) out.refused.push(`${data.id}.${entry.slice(0, 40)}: ${wrong}`);
    else {
      changed[entry] = value;
      out.taken.push(`${data.id}.${entry}`);
    }
  }
  out.data = changed as unknown as SiteData;
  return out;
}

/**
 * Returns what importing a file of sites would change: every entry that would be used, and a message for every other.
 */
export function checkSites(known: readonly SiteData[], file: unknown): { taken: string[]; refused: string[] } {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    return { taken: [], refused: ['The file has no object of sites'] };
  const all = known.map((data) => overridden(data, file));
  const strange = Object.keys(file)
    .filter((id) => !known.some((data) => data.id === id))
    .slice(0, most)
    .map((id) => `${id.slice(0, 40)}: no such site`);
  return { taken: all.flatMap((o) => o.taken), refused: [...all.flatMap((o) => o.refused), ...strange] };
}
