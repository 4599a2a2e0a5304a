// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load as loadCore } from '../../../wasm/js/ctx.js';
import { holds, same } from './expect.mjs';
import { load } from './source.mjs';

const root = join(import.meta.dirname, '../../..');

/** Tests data forged by the script of a page, and what is shown of it, without a browser. */
export async function forged({ test }) {
  const module = await WebAssembly.compile(await readFile(join(root, 'wasm/js/ctx.wasm')));
  const newCore = () =>
    loadCore(module, { vocabularies: (name) => readFile(join(root, `internal/assets/${name}.ctxv`)) });
  const { known } = await load('adapter/index.ts');
  const { planned } = await load('adapter/plans.ts');
  const { ResponseReader } = await load('traffic/responses.ts');
  const { Conversation, credible } = await load('worker/conversation.ts');
  const { defaults } = await load('settings.ts');
  const look = await load('worker/look.ts');
  const say = (key, ...args) => [key, ...args].join(' ');
  const site = (id) => known.find((s) => s.id === id);
  const window = 200_000;
  const sync = (items, more = {}) => ({
    type: 'sync',
    site: 'deepseek',
    conversation: 'c',
    page: 'p',
    provider: 'deepseek',
    model: 'gpt-5.5',
    coverage: { read: 2, of: 2, more: false, files: 0, pictures: 0, reports: 0, unreadable: 0, loaded: 'none' },
    planned: { window, plan: 'Plus', lacks: '', reported: '', other: '' },
    pointed: false,
    from: 0,
    before: 0,
    items,
    draft: '',
    ...more,
  });
  const talk = [
    { kind: 'user', text: 'A message that is visible, and of some length. '.repeat(400), digest: 1 },
    { kind: 'assistant', text: 'An answer that is visible, and shorter. '.repeat(40), digest: 2 },
  ];
  const opened = async (more = {}, items = talk) => {
    const core = await newCore();
    const c = await Conversation.open(core, 'c', { id: 1, secret: false }, sync([], more), defaults);
    return { core, c, counted: await c.sync(sync(items, more)) };
  };
  const linesOf = async (core, c, reading) =>
    (await look.withLines(core, reading, 'percent', say, c.part, c.reported(reading))).lines;

  /** The message that a page posts in the name of the wrapper, as the reader expects it. */
  const forge = (tokens) => {
    const reader = new ResponseReader(site('deepseek').answers, 'https://chat.deepseek.com');
    const body = `data: ${JSON.stringify({ v: { response: { accumulated_token_usage: tokens } } })}\n\n`;
    const facts = reader.read(
      {
        ctxLspResponse: {
          url: 'https://chat.deepseek.com/api/v0/chat/completion',
          method: 'POST',
          status: 200,
          body,
          request: '{"chat_session_id":"c"}',
        },
      },
      0,
    );
    return facts?.usage?.[0] ?? null;
  };

  await test('forged: no usage is taken from a site that is not known to send one', () => {
    const carry = known.filter((s) => s.answers.some((a) => a.carries.includes('usage'))).map((s) => s.id);
    same(carry, ['deepseek'], 'sites');
  });

  await test('forged: a size is never measured, always ~, and within a third of the visible size', async () => {
    const { counted } = await opened();
    const { used } = counted;
    // Every value that the checks before this one believe, the plausible first: near, a bit too high, half, full.
    const plausible = [1, 1.05, 1.2, 1.3, 1.33, 0.9, 0.8, 0.7, 1.4, 1.5, 2, 3, 5, 10].map((f) => Math.round(f * used));
    const round = [5_000, 10_000, 50_000, 100_000, 150_000, 180_000, 190_000, 199_999, 200_000];
    const steps = Array.from({ length: 60 }, (_, i) => Math.round(0.7 * used + (i * (window - 0.7 * used)) / 59));
    const rows = [];
    let taken = 0;
    for (const tokens of [...plausible, ...round, ...steps]) {
      const { core, c } = await opened();
      const u = forge(tokens);
      holds(u !== null, `the reader refused ${tokens}`);
      const believed = credible({ lastRequest: { in: tokens }, limit: window, limitSource: 'user' }, used, used);
      const reading = await c.usage(u.usage, u.provider, u.whole);
      const { badge, toolbar, sign } = await linesOf(core, c, reading);
      rows.push([tokens, believed, reading.basis, reading.used, badge]);
      const isNear = 3 * Math.abs(tokens - used) <= used;
      same(reading.lastRequest !== null, believed && isNear, `${tokens} for ${used} taken`);
      if (!isNear) same([reading.used, reading.basis], [used, counted.basis], `${tokens} changes something`);
      else if (believed) {
        taken++;
        same([reading.basis, sign, toolbar[0], badge[0]], ['estimated', '~', '~', '~'], `${tokens}: ${badge}`);
        same(c.reported(reading), { usage: true, window: false }, 'reported');
      }
      holds(3 * Math.abs(reading.used - used) <= used, `${tokens} became ${reading.used} of ${used} visible`);
      // Later responses do not change that.
      const later = await c.draft('One more question.');
      holds(!/measured/.test(later.basis), `${tokens}: ${later.basis} with a draft`);
    }
    holds(taken >= 5 && rows.filter((r) => r[1]).length > 60, `${taken} of ${rows.length}`);
    for (const [tokens, believed, basis, shown, badge] of rows.slice(0, plausible.length + round.length))
      console.log(
        `      ${used} visible, ${tokens} forged (${believed ? 'in' : 'out of'} bounds): ${shown} ${basis}, ${badge}`,
      );
  });

  await test('forged: reports in a row never lead further than a third, and provider mode takes none', async () => {
    const { c, counted } = await opened();
    for (const factor of [1.3, 1.6, 1.9, 2.3, 3, 0.7, 0.5]) {
      const u = forge(Math.round(factor * counted.used));
      const { used } = await c.usage(u.usage, u.provider, u.whole);
      holds(3 * Math.abs(used - counted.used) <= counted.used, `${factor}: ${used} of ${counted.used}`);
    }
    const core = await newCore();
    const strict = { ...defaults, mode: 'provider' };
    const p = await Conversation.open(core, 'p', { id: 1, secret: false }, sync([]), strict);
    const before = await p.sync(sync(talk));
    const u = forge(before.used || counted.used);
    const reading = await p.usage(u.usage, u.provider, u.whole);
    same([reading.used, reading.display.percent], [before.used, before.display.percent], 'provider mode');
  });

  await test('forged: a part of a conversation takes no report, and stays a lower bound', async () => {
    const part = { coverage: { ...sync([]).coverage, of: 9 } };
    const { c, counted } = await opened(part);
    const u = forge(Math.round(1.2 * counted.used));
    const reading = await c.usage(u.usage, u.provider, u.whole);
    same([reading.used, reading.lastRequest, c.part], [counted.used, null, true]);
  });

  await test('forged: a refusal moves the window by a third at most, as an estimate, and none that was chosen', async () => {
    const { unplanned } = await load('adapter/plans.ts');
    const refuse = (c, tokens) => {
      const message = `prompt is too long: ${tokens + 9} tokens > ${tokens} maximum`;
      return c.refused({ type: 'invalid_request_error', message }, 400);
    };
    const { limit: own } = (await opened({ planned: unplanned })).counted;
    let moved = 0;
    for (const factor of [0.01, 0.1, 0.5, 0.66, 0.67, 0.7, 0.9, 1, 1.2, 1.33, 1.34, 2, 10]) {
      const { core, c, counted } = await opened({ planned: unplanned });
      const tokens = Math.round(factor * own);
      for (const n of [tokens, Math.round(tokens * factor)]) {
        const reading = await refuse(c, n);
        same(reading.used, counted.used, `${n}: used`);
        holds(3 * Math.abs(reading.limit - own) <= own, `${n} of ${own} became ${reading.limit}`);
        if (reading.limit === own) continue;
        moved++;
        same((await linesOf(core, c, reading)).badge[0], '~', `a window of ${n}`);
        same(c.reported(reading).window, true, `${n} is reported`);
      }
      const chosen = await opened();
      same((await refuse(chosen.c, Math.round(factor * window))).limit, window, `${factor} of a chosen window`);
    }
    holds(moved >= 4, `${moved} refusals moved the window`);
  });

  await test('forged: a plan and a window that the page reports are named so, and a choice comes first', async () => {
    const chatgpt = site('chatgpt');
    const by = (chosen, account) =>
      planned(chatgpt, chosen, { windows: {}, plan: [], ...account }, 'instant', 'gpt-5.5');
    const windows = { 'gpt-5-5': 1_000_000 };
    same(by('plus', { windows, plan: ['free'] }).window, 32_000, 'the chosen plan');
    same(by('plus', { plan: ['free'] }).other, 'Free', 'the other one is said');
    same(by('plus', { plan: ['plus'] }).other, '', 'the same one is not');
    const plans = [by(undefined, { plan: ['free'] }), by(undefined, { windows })];
    same(
      plans.map((p) => [p.window, p.reported]),
      [
        [16_000, 'plan'],
        [1_000_000, 'window'],
      ],
      'reported',
    );
    same(by(undefined, { plan: ['free', 'enterprise'] }).lacks, 'plan', 'several accounts');
    same(by(undefined, { plan: ['plus', 'go'] }).lacks, 'plan', 'an account of an unknown plan');
    for (const p of plans) {
      const { core, c, counted } = await opened({ planned: p });
      same((await linesOf(core, c, counted)).badge[0], '~', `${p.reported}: a number of what was counted`);
    }
    const reader = new ResponseReader(chatgpt.answers, 'https://chatgpt.com');
    const account = (plan_type) => ({ account: { plan_type } });
    const namesOf = (accounts) =>
      reader.read(
        {
          ctxLspResponse: {
            url: 'https://chatgpt.com/backend-api/accounts/check/v4',
            method: 'GET',
            status: 200,
            body: JSON.stringify({ accounts, account_ordering: ['a', 'b'] }),
          },
        },
        0,
      ).plan;
    same(namesOf({ a: account('free'), b: account('enterprise') }), ['free', 'enterprise'], 'two accounts');
    same(namesOf({ a: account('plus'), default: account('plus') }), ['plus'], 'one account');
  });

  await test('a page that the user pointed at is measured', async () => {
    const { core, c, counted } = await opened({ pointed: true });
    const reading = await c.usage({ in: 3 * counted.used, out: 0 }, 'ctx', true);
    same([reading.lastRequest.in, c.reported(reading)], [3 * counted.used, { usage: false, window: false }]);
    same(/^[~≥]/.test((await linesOf(core, c, reading)).badge), false, 'its sign');
  });
}
