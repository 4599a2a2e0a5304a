// Copyright The ctx-lsp authors. MIT licence.

import type { Child, Items, Level, Reading } from '../../../api/protocol';
import { agents } from '../../agents.gen';
import { fullness } from '../../fullness';
import { worthNaming } from '../../rows';
import { type PanelAct, type PanelState, panelActs } from '../messages';
import { share } from './bar';
import { el, folded, section, svg, table } from './dom';
import { exact, mark, percent, signed, word } from './language';

/** Draws the top of the page: the session's name, when it compacts, how full it is, and the actions. */
export function heading({
  reading,
  name,
  outdated,
  lead,
  standing,
  forecast,
  back,
  breaks,
  allowance,
  unmeasured,
  can,
}: PanelState): HTMLElement {
  const { display: d, compaction: c } = reading;
  const dim = outdated !== '' || reading.activity === 'idle' || reading.activity === 'ended';
  const shown: Record<PanelAct, boolean> = {
    handover: true,
    compact: can.compact,
    transcript: can.transcript,
    copy: true,
    pick: true,
  };
  const numbers = el(
    'p',
    { class: 'numbers' },
    el('strong', {}, fullness(reading)),
    reading.limit === null ? '' : ` ${word('ofWindow')} · ${d.mark}${d.used} / ${d.limit}`,
    unmeasured ? ` · ${unmeasured}` : '',
  );
  if (c.threshold !== null) {
    numbers.append(` · ${d.thresholdPercent} ${word('ofThreshold')}`);
  }
  const lines = [
    el('p', { class: 'name' }, name),
    el('h1', { class: 'level lead' }, ...(dim ? [] : sign(c.level)), lead),
    ...(outdated ? [el('p', { class: 'outdated' }, outdated)] : []),
    el('p', { class: 'quiet standing' }, standing.join(' · ')),
    numbers,
  ];
  if (forecast) {
    // Far below the threshold, the size after a compaction may be larger than the current one.
    const landing =
      c.landing && c.level !== 'ok' ? ` ${word('landing', exact(c.landing.low), exact(c.landing.high))}` : '';
    lines.push(el('p', { class: 'quiet forecast' }, `${forecast}.${landing && ` ${landing.trim()}.`}`));
  }
  if (reading.verdict) {
    lines.push(el('p', { class: 'quiet verdict' }, reading.verdict.text));
  }
  if (back) {
    lines.push(el('p', { class: 'quiet back' }, back));
  }
  if (breaks) {
    lines.push(el('p', { class: 'quiet breaks' }, breaks));
  }
  if (allowance) {
    lines.push(el('p', { class: 'quiet allowance' }, allowance));
  }
  return el(
    'header',
    { class: dim ? 'dim' : `level-${c.level}` },
    ...lines,
    el('div', { class: 'actions' }, ...panelActs.filter((act) => shown[act]).map((act) => button(act, can))),
  );
}

function button(act: PanelAct, can: PanelState['can']): HTMLElement {
  return el('button', { type: 'button', 'data-act': act, id: `act-${act}` }, actWord(act, can));
}

/**
 * Returns the text of a button. A handover note is written from a transcript; without one, only facts can be copied.
 */
function actWord(act: PanelAct, can: PanelState['can']): string {
  return word(act === 'handover' && can.transcript ? 'handOver' : act);
}

/**
 * Draws the symbol of the levels `now` and `over`, because a color alone is not visible in high-contrast themes. It is
 * drawn, because a system may lack a font for it.
 */
function sign(level: Level): Node[] {
  if (level !== 'now' && level !== 'over') {
    return [];
  }
  const drawing = svg('svg', { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' });
  drawing.append(
    svg('circle', { cx: 8, cy: 8, r: 6.5 }),
    svg('line', { x1: 8, x2: 8, y1: 4.5, y2: 8.8 }),
    svg('line', { x1: 8, x2: 8, y1: 11, y2: 11.3 }),
  );
  return [drawing];
}

/** Shows the vocabulary that the daemon offers, with buttons for both replies. */
export function offer(sentence: string): HTMLElement[] {
  if (!sentence) {
    return [];
  }
  const answer = (fetch: boolean): HTMLElement =>
    el('button', { type: 'button', 'data-fetch': String(fetch) }, word(fetch ? 'fetch' : 'noFetch'));
  const actions = el('div', { class: 'actions' }, answer(true), answer(false));
  return [section('offer', word('exactCounts'), el('p', {}, sentence), actions)];
}

/** Lists the largest items by name; each opens its line in the transcript, if that is known. */
export function largest(items: Items | null, canOpen: boolean): HTMLElement {
  if (!items || items.items.length === 0) {
    return section('items', word('largest'), el('p', { class: 'quiet' }, word('noItems')));
  }
  const rows = worthNaming(items.items).map((item) => {
    const name = `${item.label || word(`kind.${item.kind}`)}${item.times > 1 ? ` ×${item.times}` : ''}`;
    const line = item.place !== null && canOpen ? String(item.place) : undefined;
    return [
      line === undefined
        ? name
        : el('button', { type: 'button', class: 'link', 'data-place': line, title: word('openPlace', line) }, name),
      share(item.kind, item.bar, `${mark(item.basis)}${exact(item.tokens)}`),
      percent(item.share),
    ];
  });
  return section('items', word('largest'), table([word('item'), word('tokens'), word('share')], rows));
}

/** Lists the cost of each MCP server's tools, in the words of the Reading. */
export function servers(reading: Reading): HTMLElement[] {
  if (reading.mcpServers.length === 0) {
    return [];
  }
  const list = el('ul', {}, ...reading.mcpServers.map((server) => el('li', {}, server.text)));
  return [section('mcpServers', word('mcpServers'), list)];
}

/** Lists the suggestions, each with the tokens that it frees, and with a button if this extension can help with it. */
export function advice(reading: Reading, can: PanelState['can']): HTMLElement {
  if (reading.advice.length === 0) {
    return section('advice', word('advice'), el('p', { class: 'quiet' }, word('noAdvice')));
  }
  const doing: Record<string, PanelAct | undefined> = {
    compact: can.compact ? 'compact' : undefined,
    newSession: 'handover',
  };
  const list = el('ul', { class: 'advice' });
  for (const a of reading.advice) {
    const freed = `${mark(a.basis)}${exact(a.tokens)}`;
    const frees = word('frees', a.atMost ? word('atMost', freed) : freed);
    const entry = el('li', {}, el('strong', {}, a.label), ` — ${frees}`);
    if (a.how) {
      entry.append(el('div', { class: 'quiet' }, a.how));
    }
    if (a.breaksCache) {
      entry.append(el('div', { class: 'quiet' }, word('breaksCache')));
    }
    const act = doing[a.action];
    if (act) {
      entry.append(el('div', {}, el('button', { type: 'button', 'data-act': act }, actWord(act, can))));
    }
    list.append(entry);
  }
  return section('advice', word('advice'), list);
}

export function accuracy(reading: Reading): HTMLElement {
  const a = reading.accuracy;
  if (!a.last) {
    return folded('accuracy', word('accuracy'), el('p', { class: 'quiet' }, word('noAccuracy')));
  }
  const { predicted, actual, error, percent } = a.last;
  const rows = [
    [word('lastMiss'), word('predicted', exact(predicted), exact(actual), signed(error), signed(percent))],
    [word('ratio'), exact(a.ratio)],
  ];
  if (a.medianTokens !== null) {
    const p95 = a.p95Percent === null ? exact(a.p95Tokens) : `${exact(a.p95Tokens)} (${exact(a.p95Percent)}%)`;
    rows.push([word('median'), exact(a.medianTokens)], [word('p95'), p95]);
  }
  rows.push([word('steps'), exact(a.steps)]);
  const cause = a.last.cause ? [el('p', { class: 'quiet' }, a.last.cause)] : [];
  return folded('accuracy', word('accuracy'), table(null, rows), ...cause);
}

export function spent(reading: Reading): HTMLElement {
  const s = reading.spent;
  const rows = [
    [word('requests'), exact(s.calls)],
    [word('sentTokens'), exact(s.in)],
    [word('generated'), exact(s.out)],
    [word('cacheRead'), exact(s.cacheRead)],
    [word('cacheWrite'), exact(s.cacheWrite)],
    [word('compactions'), exact(reading.compactions)],
  ];
  return folded('spent', word('spent'), table(null, rows));
}

/** Lists the sources of the compaction threshold, in order of precedence. */
function sources({ compaction }: Reading): HTMLElement[] {
  if (compaction.sources.length === 0) {
    return [];
  }
  const entries = compaction.sources.map((s) => {
    const name = s.setting === '' ? s.name : `${s.name} = ${s.value}`;
    const parts = [s.threshold === null ? '–' : exact(s.threshold), word(`source.${s.state}`), name, s.note];
    return el('li', { 'data-state': s.state }, parts.filter(Boolean).join(' · '));
  });
  return [el('li', { id: 'sources' }, `${word('sources')}:`, el('ol', {}, ...entries))];
}

export function provenance(reading: Reading): HTMLElement {
  const c = reading.compaction;
  const lines = [
    `${word('basis')}: ${word(`basis.${reading.basis}`)}${reading.low === reading.high ? '' : `, ${word('between', exact(reading.low), exact(reading.high))}`}`,
    `${word('limit')}: ${word(`limitSource.${reading.limitSource}`)}`,
    `${word('rule')}: ${[c.rule, c.since, c.source].filter(Boolean).join(' · ')}`,
  ];
  const proof = agents.find((a) => a.id === reading.agent)?.proof;
  if (proof) {
    lines.push(`${word('proof')}: ${word(`proof.${proof[0]}`, proof[1])}`);
  }
  const last = reading.lastRequest;
  if (last) {
    lines.push(`${word('lastInput')}: ${exact(last.in)}`);
    // In provider mode, the output is not included until it has been measured as input.
    const stays = reading.mode === 'provider' ? '' : `${mark(last.carryBasis)}${exact(last.carry)}`;
    if (last.out !== null) {
      lines.push(`${word('lastOutput')}: ${stays ? word('stays', exact(last.out), stays) : exact(last.out)}`);
    }
  }
  for (const reason of reading.leaving.reasons) {
    lines.push(`${word('leaving')}: ${reason.reason} ${exact(reason.tokens)}`);
  }
  if (reading.mode !== 'provider') {
    lines.push(`${word('new')}: ${mark(reading.new.basis)}${exact(reading.new.tokens)}`);
  }
  return folded(
    'provenance',
    word('provenance'),
    el(
      'ul',
      {},
      ...lines.map((l) => el('li', {}, l)),
      ...sources(reading),
      ...reading.warnings.map((w) => el('li', { class: 'warning' }, w)),
    ),
  );
}

export function children(list: readonly Child[], names: Readonly<Record<string, string>>): HTMLElement[] {
  if (list.length === 0) {
    return [];
  }
  const entries = (of: readonly Child[]): HTMLElement =>
    el(
      'ul',
      {},
      ...of.map((child) =>
        el(
          'li',
          {},
          el(
            'button',
            { type: 'button', class: 'link', 'data-session': child.session },
            names[child.session] ?? child.session,
          ),
          ` ${fullness(child)} `,
          child.model,
          ...(child.children.length ? [entries(child.children)] : []),
        ),
      ),
    );
  return [section('children', word('children'), entries(list))];
}
