// Copyright The ctx-lsp authors. MIT licence.

import { holds, same } from './expect.mjs';
import { load } from './source.mjs';

/** Tests how conversations are assembled from the shown, earlier shown and loaded messages, without a browser. */
export async function truth({ test }) {
  const { Thread } = await load('content/thread.ts');
  const content = (...texts) => ({
    items: texts.map((text) => ({ kind: 'user', text, digest: 0 })),
    files: 0,
    pictures: 0,
    reports: 0,
    side: 'user',
    unreadable: false,
  });
  /** Rows of a page that numbers its turns by an index, as claude.ai does. */
  const numbered = (from, to, text = (i) => `text ${i}`) =>
    Array.from({ length: to - from }, (_, i) => ({
      key: String(from + i),
      ids: [],
      position: from + i,
      content: content(text(from + i)),
    }));
  /** Rows of a page that has keys alone. */
  const keyed = (keys) => [...keys].map((key) => ({ key, ids: [], position: null, content: content(key) }));
  const texts = (thread) => thread.read.map((r) => r.content.items[0].text);

  await test('turns are kept when they leave the page, and joined in their order when they come', () => {
    const thread = new Thread();
    thread.see(numbered(194, 200), 200);
    same([thread.read.length, thread.of], [6, 200], 'six of 200');
    for (let i = 190; i >= 0; i -= 4) thread.see(numbered(i, i + 6), 200);
    same([thread.read.length, thread.of], [198, 200], 'the page was left out at 0');
    thread.see(numbered(0, 6), 200);
    same(
      texts(thread),
      Array.from({ length: 200 }, (_, i) => `text ${i}`),
      'all, in order',
    );
  });
  await test('after an edit nothing of the other branch is left', () => {
    const thread = new Thread();
    thread.see(numbered(0, 10), 10);
    thread.see(
      numbered(2, 5, (i) => (i === 4 ? 'edited' : `text ${i}`)),
      5,
    );
    same(texts(thread), ['text 0', 'text 1', 'text 2', 'text 3', 'edited'], 'the new branch');
    same(thread.of, 5, 'of');
    const other = new Thread();
    other.see(numbered(0, 10), 10);
    // Another text in the middle, with as many turns as before: what follows is unknown until it is seen.
    other.see(
      numbered(2, 5, (i) => (i === 3 ? 'other' : `text ${i}`)),
      10,
    );
    same([texts(other), other.of], [['text 0', 'text 1', 'text 2', 'other', 'text 4'], 10], 'as many');
    const growing = new Thread();
    growing.see(numbered(0, 10), 10);
    growing.see(
      numbered(8, 10, (i) => (i === 9 ? 'text 9 goes on' : `text ${i}`)),
      10,
    );
    same(growing.read.length, 10, 'an answer that grows is no other branch');
  });
  await test('shells keep the order and the number of turns', () => {
    const thread = new Thread(2);
    const shown = (from, to) =>
      Array.from({ length: 60 }, (_, i) => ({
        key: `turn-${i}`,
        ids: [],
        position: i >= from && i < to ? i + 1 : null,
        content: i >= from && i < to ? content(`text ${i}`) : null,
      }));
    thread.see(shown(50, 60), null);
    same([thread.read.length, thread.of], [10, 60], 'first');
    thread.see(shown(0, 50), null);
    same([thread.read.length, thread.of, texts(thread)[59]], [60, 60, 'text 59'], 'all');
  });
  await test('a first turn that is number 187 is not the first', () => {
    const thread = new Thread(2);
    thread.see(numbered(186, 200), null);
    same([thread.read.length, thread.of], [14, 200], 'of');
    const first = new Thread(2);
    first.see(numbered(2, 9), null);
    same([first.read.length, first.of], [7, 7], 'pages begin with 1, 2 or 3');
  });
  await test('turns with keys alone are joined by those that both sides have', () => {
    const thread = new Thread();
    thread.see(keyed('klmn'), null);
    thread.see(keyed('ghijkl'), null);
    same(texts(thread).join(''), 'ghijklmn', 'scrolled up');
    thread.see(keyed('lmnop'), null);
    same(texts(thread).join(''), 'ghijklmnop', 'went on');
    thread.see(keyed('klxy'), null);
    same(texts(thread).join(''), 'ghijklxy', 'another branch');
    thread.see(keyed('qr'), null);
    same(texts(thread).join(''), 'qr', 'what cannot be joined is forgotten');
  });
  await test('turns without keys are joined by their texts, and taken back at the end of the page', () => {
    const long = (i) => `The turn with the number ${i}, which says that it is the ${i}th of all.`;
    const nameless = (from, to, text = long) =>
      Array.from({ length: to - from }, (_, i) => {
        const [of] = numbered(from + i, from + i + 1, text);
        of.content.items[0].digest = [...text(from + i)].reduce((n, c) => (n * 31 + c.charCodeAt(0)) | 0, 7);
        return { ...of, key: null, position: null };
      });
    const thread = new Thread();
    const kept = (from, to) => Array.from({ length: to - from }, (_, i) => long(from + i));
    thread.see(nameless(14, 20), null);
    thread.see(nameless(9, 16), null);
    same(texts(thread), kept(9, 20), 'scrolled up');
    same([thread.edges, thread.hasLost], [{ first: true, last: false }, false], 'where the page is');
    thread.see(nameless(15, 22), null);
    same(texts(thread), kept(9, 22), 'went on');
    thread.see(nameless(15, 20), null, () => true);
    same(texts(thread), kept(9, 20), 'at the end of the page what is gone was taken back');
    thread.see([...nameless(15, 18), ...nameless(18, 20, (i) => `Another branch ${i}`)], null);
    same(texts(thread), [...kept(9, 18), 'Another branch 18', 'Another branch 19'], 'another branch');
    thread.begins();
    thread.see(nameless(30, 36), null);
    same([texts(thread), thread.hasLost, thread.hasBeginning], [kept(30, 36), true, false], 'what cannot be joined');
    thread.ends();
    same(thread.hasLost, false, 'until the end is seen again');
    // A single short word that both sides have does not show where they meet.
    thread.see([...nameless(40, 43), ...nameless(43, 44, () => 'yes')], null);
    thread.see([...nameless(50, 51, () => 'yes'), ...nameless(51, 54)], null);
    same([texts(thread), thread.hasLost], [['yes', ...kept(51, 54)], true], 'a word');
  });
  await test('pages that scroll at random never show a turn twice, out of order, or of another text (seeded)', () => {
    let seed = 20261122;
    const random = (n) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed % n;
    };
    for (let round = 0; round < 300; round++) {
      const thread = new Thread();
      const total = 20 + random(80);
      const all = Array.from({ length: total }, (_, i) => `text ${i}`);
      const text = (i) => all[i];
      for (let step = 0; step < 40; step++) {
        if (random(15) === 0) {
          // An edit is made in a turn that is in the page, and everything after it is another branch then.
          const from = random(total);
          const at = Math.max(0, from - 2);
          const window = () => numbered(at, Math.min(total, from + 4), text);
          thread.see(window(), total);
          for (let i = from; i < total; i++) all[i] = `step ${step} turn ${i}`;
          thread.see(window(), total);
        }
        const at = random(total);
        thread.see(numbered(at, Math.min(total, at + 1 + random(10)), text), total);
        same(
          texts(thread),
          thread.read.map((r) => text(r.position)),
          `seed 20261122, round ${round}, step ${step}`,
        );
      }
      holds(thread.of === total, `round ${round}: of ${thread.of}`);
    }
  });
}
