// Copyright The ctx-lsp authors. MIT licence.

import { JSDOM } from 'jsdom';
import { holds, same } from './expect.mjs';
import { rowsOf } from './others.mjs';
import { load } from './source.mjs';

const html =
  '<!doctype html><html><body><nav><p>Menu</p></nav><main></main><form><textarea></textarea></form></body></html>';

/** How chatgpt.com shows a turn, and what it keeps in the place of one that is not in the page. */
const chatgpt = (document) => {
  const el = (name, attributes, ...inside) => {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...inside);
    return e;
  };
  const row = (side, text, i) =>
    el(
      'section',
      { 'data-turn': side, 'data-turn-id': `t${i}`, 'data-testid': `conversation-turn-${i + 1}` },
      el(
        'div',
        {
          'data-message-author-role': side,
          'data-message-id': `m${i}`,
          ...(side === 'assistant' && { 'data-message-model-slug': 'gpt-5-5' }),
        },
        el('p', {}, text),
      ),
    );
  return (side, text, i, gone) => (gone ? el('div', { 'data-turn-id-container': `t${i}` }) : row(side, text, i));
};

/** A page with turns that are kept, and the records of its changes. */
function watched(data, siteOf, Turns, rows, n) {
  const { window } = new JSDOM(html);
  const { document } = window;
  const site = siteOf(data);
  const calls = { turn: 0, places: 0 };
  const counting = {
    ...site,
    turn: (p) => {
      calls.turn++;
      return site.turn(p);
    },
    places: (page) => {
      calls.places++;
      return site.places(page);
    },
  };
  const time = { now: 0 };
  const turns = new Turns(counting, () => time.now);
  const main = document.querySelector('main');
  const make = rows(document);
  const side = (i) => (i % 2 ? 'assistant' : 'user');
  for (let i = 0; i < n; i++) main.append(make(side(i), `Text number ${i}`, i, false));
  const observer = new window.MutationObserver(() => {});
  observer.observe(document.documentElement, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: site.attributes,
  });
  const read = () => {
    for (const r of observer.takeRecords()) turns.touch(r);
    return turns.read(document);
  };
  return { window, document, main, make, side, site, turns, calls, read, time };
}

/** Turns are kept with their elements, and are the same as those that a search of the whole page finds. */
export async function keptTurns({ test }) {
  const { known } = await load('adapter/index.ts');
  const { siteOf } = await load('adapter/adapter.ts');
  const { Turns } = await load('content/turns.ts');
  const data = (id) => known.find((s) => s.id === id);

  await test('a streamed token reads its own turn, and neither the other 999 nor the page again', () => {
    const { window, main, calls, read, time } = watched(data('chatgpt'), siteOf, Turns, chatgpt, 1000);
    same([read().length, calls.turn, calls.places], [1000, 1000, 1], 'at first');
    const answer = main.lastElementChild.querySelector('p');
    for (let i = 0; i < 50; i++) {
      answer.append(` token ${i}`);
      if (i % 10 === 0) answer.after(window.document.createElement('ul'));
      window.document.querySelector('nav').append(window.document.createElement('b'));
      same(read().length, 1000, 'turns');
    }
    same([calls.turn, calls.places], [1050, 1], '50 tokens');
    // Some changes cannot be observed.
    time.now = 11_000;
    same([read().length, calls.places], [1000, 2], 'after eleven seconds');
    window.close();
  });

  await test('a fold of the reasoning changes no number', async () => {
    const { Reader } = await load('content/reader.ts');
    const { claude } = Object.fromEntries(known.map((s) => [s.id, s]));
    const read = (thoughts) => {
      const { window } = new JSDOM(
        `<body><div data-rs-index="0"><div data-testid="user-message">Why?</div></div>
        <div data-rs-index="1"><div class="font-claude-response"><div class="row-start-1">${thoughts}</div>
        <div class="row-start-2"><p>Because.</p></div></div></div></body>`,
        { url: 'https://claude.ai/chat/abc' },
      );
      const { location } = globalThis;
      globalThis.location = window.location;
      try {
        const { items } = new Reader(siteOf(claude)).read(window.document, () => null);
        return items.map((i) => [i.kind, i.text]);
      } finally {
        globalThis.location = location;
        window.close();
      }
    };
    const items = [
      ['user', 'Why?'],
      ['assistant', 'Because.'],
    ];
    same([read(''), read('<p>A long thought.</p>')], [items, items], 'folded and unfolded');
  });

  await test('the turns that are kept are those in the page, after any change of it (seeded)', () => {
    const steps = Number(process.env.STEPS ?? 50);
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
    let state = seed;
    const random = (n) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) % n;
    };
    const byHost = (host) => (document) => rowsOf(host, document);
    for (const [id, rows] of [
      ['chatgpt', chatgpt],
      ['aistudio', byHost('aistudio.google.com')],
      ['kimi', byHost('www.kimi.com')],
      ['grok', byHost('grok.com')],
      ['mistral', byHost('chat.mistral.ai')],
    ]) {
      const page = watched(data(id), siteOf, Turns, rows, 12);
      const { document, main, make, side, site, read, calls } = page;
      const pick = () => main.children[random(main.children.length)];
      let n = 12;
      const changes = {
        append: () => main.append(make(side(n), `Text number ${n}`, n++, false)),
        remove: () => main.children.length > 3 && pick().remove(),
        gone: () => pick().replaceWith(make(side(n), 'gone', n++, true)),
        back: () => pick().replaceWith(make(side(n), `Text number ${n}`, n++, false)),
        grow: () => pick().querySelector('p')?.append(' more'),
        empty: () => pick().replaceChildren(),
        wrap: () => {
          const box = document.createElement('div');
          const row = pick();
          row.replaceWith(box);
          box.append(row);
        },
        move: () => main.prepend(pick()),
        key: () => {
          const name = [...data(id).key, ...data(id).messageKey][0];
          if (name) pick().setAttribute(name, `k${n++}`);
        },
        inside: () => pick().append(make(side(n), 'inside', n++, false)),
        menu: () => document.querySelector('nav').append(document.createElement('p')),
        classes: () => pick().toggleAttribute('class', random(2) > 0),
      };
      const names = Object.keys(changes);
      const described = (turns) => {
        const all = new Map([...document.querySelectorAll('*')].map((e, n) => [e, n]));
        return turns.map((t) => [all.get(t.element), t.messages.length, t.key, t.shell, t.role]);
      };
      const done = [];
      for (let i = 0; i < steps; i++) {
        for (let k = random(3); k >= 0; k--) {
          const name = names[random(names.length)];
          done.push(name);
          changes[name]();
        }
        same(
          described(read()),
          described(site.places(document).map(site.turn)),
          `${id}, seed ${seed}, ${done.slice(-6)}`,
        );
      }
      holds(calls.places < steps, `${id}: the page was searched ${calls.places} times`);
      page.window.close();
    }
  });
}
