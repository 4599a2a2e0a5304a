// Copyright The ctx-lsp authors. MIT licence.

import type { Child, Items, Reading } from '../../../api/protocol';
import type { FromPage, PanelState } from '../messages';
import { el, section, table } from './dom';
import { exact, mark, word } from './language';

type Send = (message: FromPage) => void;

export function heading({ reading, agentName, can }: PanelState, send: Send): HTMLElement {
  const { display: d, compaction: c } = reading;
  const button = (act: 'copy' | 'transcript' | 'compact' | 'pick', shown = true): HTMLElement[] => {
    if (!shown) {
      return [];
    }
    const b = el('button', { type: 'button', id: `act-${act}` }, word(act));
    b.addEventListener('click', () => send({ type: 'act', act }));
    return [b];
  };
  const numbers = el(
    'p',
    { class: 'numbers' },
    el('strong', {}, `${d.mark}${d.percent === '?' ? d.used : d.percent}`),
    ` ${word('ofWindow')} · ${d.mark}${d.used} / ${d.limit}`,
  );
  if (c.line !== null) {
    numbers.append(' · ', el('strong', {}, d.left), ` ${word('toCompaction')}`);
  }
  return el(
    'header',
    { class: `level-${c.level}` },
    el('h1', {}, [reading.label || agentName, reading.model].filter(Boolean).join(' · ') || word('title')),
    numbers,
    el('p', { class: 'level' }, word(c.level)),
    el(
      'div',
      { class: 'actions' },
      ...button('copy'),
      ...button('transcript', can.transcript),
      ...button('compact', can.compact),
      ...button('pick'),
    ),
  );
}

export function largest(items: Items | null): HTMLElement {
  if (!items || items.items.length === 0) {
    return section('items', word('largest'), el('p', { class: 'quiet' }, word('noItems')));
  }
  const rows = items.items.map((item) => [
    item.label || item.kind,
    `${mark(item.basis)}${exact(item.tokens)}`,
    `${exact(item.share)}%`,
  ]);
  return section('items', word('largest'), table([word('item'), word('tokens'), word('share')], rows));
}

export function advice(reading: Reading): HTMLElement {
  if (reading.advice.length === 0) {
    return section('advice', word('advice'), el('p', { class: 'quiet' }, word('noAdvice')));
  }
  const list = el('ul', {});
  for (const a of reading.advice) {
    const entry = el('li', {}, el('strong', {}, a.label), `: ${word('frees', exact(a.tokens))}`);
    if (a.how) {
      entry.append(el('div', { class: 'quiet' }, a.how));
    }
    if (a.breaksCache) {
      entry.append(el('div', { class: 'quiet' }, word('breaksCache')));
    }
    list.append(entry);
  }
  return section('advice', word('advice'), list);
}

export function accuracy(reading: Reading): HTMLElement {
  const a = reading.accuracy;
  if (a.medianTokens === null || !a.last) {
    return section('accuracy', word('accuracy'), el('p', { class: 'quiet' }, word('noAccuracy')));
  }
  const rows = [
    [word('median'), exact(a.medianTokens)],
    [word('p95'), a.p95Percent === null ? exact(a.p95Tokens) : `${exact(a.p95Tokens)} (${exact(a.p95Percent)}%)`],
    [word('lastMiss'), word('predicted', exact(a.last.predicted), exact(a.last.actual))],
    [word('steps'), exact(a.steps)],
  ];
  const shown = section('accuracy', word('accuracy'), table([word('accuracy'), word('tokens')], rows));
  if (a.last.cause) {
    shown.append(el('p', { class: 'quiet' }, a.last.cause));
  }
  return shown;
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
  return section('spent', word('spent'), table([word('spent'), word('tokens')], rows));
}

export function provenance(reading: Reading): HTMLElement {
  const c = reading.compaction;
  const lines = [
    `${word('basis')}: ${word(`basis.${reading.basis}`)}${reading.low === reading.high ? '' : `, ${word('between', exact(reading.low), exact(reading.high))}`}`,
    `${word('limit')}: ${reading.limitSource}`,
    `${word('rule')}: ${[c.rule, c.since, c.source].filter(Boolean).join(' · ')}`,
  ];
  if (reading.lastRequest) {
    lines.push(`${word('lastRequest')}: ${exact(reading.lastRequest.in)}`);
  }
  for (const reason of reading.leaving.reasons) {
    lines.push(`${word('leaving')}: ${reason.reason} ${exact(reason.tokens)}`);
  }
  lines.push(`${word('new')}: ${mark(reading.new.basis)}${exact(reading.new.tokens)}`);
  return section(
    'provenance',
    word('provenance'),
    el(
      'ul',
      {},
      ...lines.map((l) => el('li', {}, l)),
      ...reading.warnings.map((w) => el('li', { class: 'warning' }, w)),
    ),
  );
}

export function children(list: readonly Child[], send: Send): HTMLElement[] {
  if (list.length === 0) {
    return [];
  }
  const entries = (of: readonly Child[]): HTMLElement =>
    el(
      'ul',
      {},
      ...of.map((child) => {
        const link = el('button', { type: 'button', class: 'link' }, child.label || child.agent || child.session);
        link.addEventListener('click', () => send({ type: 'session', session: child.session }));
        return el(
          'li',
          {},
          link,
          ` ${child.display.mark}${child.percent === null ? child.display.used : child.display.percent} `,
          child.model,
          ...(child.children.length ? [entries(child.children)] : []),
        );
      }),
    );
  return [section('children', word('children'), entries(list))];
}
