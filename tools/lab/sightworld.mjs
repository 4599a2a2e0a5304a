// Copyright The ctx-lsp authors. MIT licence.

// The files of the sight phase, and the truth about their lines. Half of the lines are unique, the others repeat within
// a file and across files. The steps of the script say what is shown and changed; the bodies of the requests say which
// of it is there. Lines have an identity for life, so nothing is compared with the disk. It shares nothing with
// ctx-lsp.
//
//   show:FILE               the whole file with the agent's own tool, or cat
//   show:FILE:FROM:TO       a part of it
//   cat:FILE   sed:FILE:FROM:TO   head:FILE:N   tail:FILE:N   number:FILE:FROM:TO   grep:FILE:WORD
//   edit:FILE:FROM:TO:N     the agent replaces lines by N others
//   outside:FILE:FROM:TO:N  another program does, before the agent runs ls
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const repeated = ['}', '\t}', '\treturn nil', '\t\treturn err', '\tif err != nil {', '\tcount++', '\t\tbreak'];
export const files = { 'one.go': 120, 'two.go': 260, 'three.go': 60 };
let made = 0;

/** A new line of a file: every second one is unique. */
function newLine(file) {
  const n = ++made;
  const odd = n % 2 === 1;
  return odd ? `\tvalue${n} := call${n % 40}(${n}) // of ${file}` : repeated[(n * 5 + (n >> 3)) % repeated.length];
}

/** The texts that a change puts in: made from the step alone, so that the provider and the judge agree. */
export function textsOf(step) {
  const [kind, file, from, to, n] = step.split(':');
  return Array.from({ length: Number(n) }, (_, i) =>
    i % 2 === 0
      ? `\t${kind}${from}x${to} := late${i}(${from}) // in ${file}`
      : repeated[(i + Number(from)) % repeated.length],
  );
}

export function makeFiles(folder) {
  made = 0;
  for (const [name, n] of Object.entries(files)) {
    const lines = Array.from({ length: n }, () => newLine(name));
    writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
  }
}

/** Changes a file on disk as a step says, and returns the lines before and after. */
export function changed(folder, step) {
  const [, file, from, to] = step.split(':');
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n').slice(0, -1);
  const old = lines.slice(from - 1, to);
  const texts = textsOf(step);
  lines.splice(from - 1, old.length, ...texts);
  return { old, texts, content: `${lines.join('\n')}\n` };
}

/** The command of a step that is a shell's. */
export function commandOf(step) {
  const [kind, file, a, b] = step.split(':');
  switch (kind) {
    case 'show':
      return a ? `sed -n '${a},${b}p' ${file}` : `cat ${file}`;
    case 'cat':
      return `cat ${file}`;
    case 'sed':
      return `sed -n '${a},${b}p' ${file}`;
    case 'head':
      return `head -n ${a} ${file}`;
    case 'tail':
      return `tail -n ${a} ${file}`;
    case 'number':
      return `nl -ba ${file} | sed -n '${a},${b}p'`;
    case 'grep':
      return `grep -n '${a}(' ${file}`;
  }
  return undefined;
}

/** Follows the lines of the files through the steps. */
export class World {
  constructor() {
    made = 0;
    this.events = [];
    this.files = {};
    for (const [name, n] of Object.entries(files)) {
      const lines = Array.from({ length: n }, () => ({ text: newLine(name) }));
      this.files[name] = { lines, begin: {}, end: {} };
    }
  }

  content(name) {
    return `${this.files[name].lines.map((each) => each.text).join('\n')}\n`;
  }

  /** Applies a step after its request. */
  apply(step) {
    for (const one of (step ?? '').split('+')) this.one(one);
  }

  one(step) {
    const [kind, name, a, b] = step.split(':');
    const file = this.files[name];
    if (!file) return;
    const n = file.lines.length;
    const shows = (from, to) => {
      const lines = file.lines.slice(from, to);
      this.events.push({ lines, begin: from === 0 && file.begin, end: to >= n && file.end });
    };
    if (kind === 'show' && !a) shows(0, n);
    else if (kind === 'cat') shows(0, n);
    else if (['show', 'sed', 'number'].includes(kind)) shows(a - 1, Math.min(Number(b), n));
    else if (kind === 'head') shows(0, Math.min(Number(a), n));
    else if (kind === 'tail') shows(Math.max(0, n - a), n);
    else if (kind === 'grep') {
      const lines = file.lines.filter((each) => each.text.includes(`${a}(`));
      if (lines.length > 0) this.events.push({ lines });
    } else if (kind === 'edit' || kind === 'outside') {
      const fresh = this.replace(file, a - 1, Number(b), textsOf(step));
      if (kind === 'edit') this.events.push({ lines: fresh, wrote: true });
    }
  }

  /** Puts texts in the place of lines. A text that a line among them has, in the same order, keeps that line. */
  replace(file, from, to, texts) {
    const old = file.lines.slice(from, to);
    const fresh = [];
    let at = 0; // in old
    let rest = 0; // in texts
    const put = (until, next) => {
      const gone = old.slice(at, until);
      const before = gone.flatMap(near);
      const sides = [old[at - 1] ?? file.lines[from - 1] ?? file.begin, old[until] ?? file.lines[to] ?? file.end].map(
        near,
      );
      for (const text of texts.slice(rest, next)) fresh.push(gone.length > 0 ? { text, before } : { text, sides });
    };
    for (const [i, j] of common(old, texts)) {
      put(i, j);
      fresh.push(old[i]);
      [at, rest] = [i + 1, j + 1];
    }
    put(old.length, texts.length);
    file.lines.splice(from, old.length, ...fresh);
    return fresh;
  }

  /** The state of each line of a file for a request with these items. */
  states(name, items, sent) {
    const present = this.events.map((event) => isPresent(event, items));
    for (const [i, is] of present.entries()) if (is) sent.add(this.events[i]);
    const live = new Set();
    const read = new Set();
    const was = new Set();
    for (const [i, event] of this.events.entries()) {
      for (const each of [...event.lines, event.begin, event.end]) {
        if (!each) continue;
        if (present[i]) live.add(each);
        if (present[i] && (!event.wrote || isEchoed(event, items))) read.add(each);
        if (sent.has(event)) was.add(each);
      }
    }
    const some = (list) => list.some((each) => live.has(each));
    return this.files[name].lines.map((each) => {
      if (read.has(each)) return 'verbatim';
      if (live.has(each)) return 'own';
      if (each.before ? some(each.before) : each.sides?.every(some)) return 'stale';
      return was.has(each) ? 'gone' : 'never';
    });
  }
}

const near = (each) => [each, ...(each.before ?? [])];

/** Pairs of lines and texts that are equal, as many as there are in order. */
function common(old, texts, i = 0, j = 0) {
  if (i === old.length || j === texts.length) return [];
  if (old[i].text === texts[j]) return [[i, j], ...common(old, texts, i + 1, j + 1)];
  const without = [common(old, texts, i + 1, j), common(old, texts, i, j + 1)];
  return without[0].length >= without[1].length ? without[0] : without[1];
}

/** Whether an item of a request has all unique lines of an event: results what was shown, calls what was written. */
function isPresent(event, items) {
  const unique = event.lines.map((each) => each.text.trim()).filter((text) => text.includes('//'));
  const kind = event.wrote ? 'call' : 'result';
  return items.some((item) => item.kind === kind && unique.every((text) => item.text.includes(text)));
}

/** Whether the result of an edit shows its lines again, each after its number, as OpenHands' does. */
function isEchoed(event, items) {
  const unique = event.lines.map((each) => each.text.trim()).filter((text) => text.includes('//'));
  return items.some(({ kind, text }) => {
    const numbered = kind === 'result' ? [...text.matchAll(/^ *\d+\t(.*)$/gm)].map(([, line]) => line.trim()) : [];
    return unique.length > 0 && unique.every((line) => numbered.includes(line));
  });
}
