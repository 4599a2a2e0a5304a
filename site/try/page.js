// Copyright The ctx-lsp authors. MIT licence.

// Creates elements. Texts are added as text: the content of a transcript is never markup.

export const by = (id) => document.getElementById(id);

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c) => c !== undefined && c !== ''));
  return element;
}

export const el = (name, attributes = {}, ...children) => make(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) =>
  make(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

const numbers = new Intl.NumberFormat('en');
/** Formats a number exactly; a question mark if it is unknown. */
export const exact = (n) => (n === null || n === undefined ? '?' : numbers.format(n));

/** Returns the symbol in front of a number of a basis. */
export const mark = (basis) =>
  basis === 'estimated' || basis === 'measured+estimated' ? '~' : basis === 'unknown' ? '?' : '';

/** Formats a share of the window, given in percent. */
export const share = (part) => (part === null ? '' : `${part < 0.1 && part > 0 ? '<0.1' : part.toFixed(1)}%`);

const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
export const moment = (ms) => (ms === null || ms === undefined ? '' : times.format(ms));

/** Creates a table with a caption; cells with numbers are right-aligned. */
export function table(caption, heads, rows) {
  return el(
    'table',
    { tabindex: 0 },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...heads.map((head) => (head === '' ? el('td') : el('th', { scope: 'col' }, head))))),
    el('tbody', {}, ...rows),
  );
}
export const cell = (text, kind) => el('td', { class: kind }, text);
export const row = (...cells) => el('tr', {}, ...cells);
