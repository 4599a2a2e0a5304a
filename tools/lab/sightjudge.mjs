// Copyright The ctx-lsp authors. MIT licence.

// Compares what `ctx-lsp sees` says just before each request with the request: precision and recall of each state.
import { World } from './sightworld.mjs';

export const states = ['verbatim', 'stale', 'own', 'gone', 'never', 'summarized', 'unknown'];
/** Precision and recall in percent that fail below, and the share of unknown lines that fails above. */
export const bounds = { states: ['verbatim', 'stale', 'gone'], least: 99.5, unknown: 2 };

/**
 * Judges a phase whose rows have `said.sight`: for each file its content and the answer. `itemsOf(row)` returns the
 * decoded items of a request's body.
 */
export function judgeSight({ requests }, itemsOf) {
  const world = new World();
  const sent = new Set();
  const counts = Object.fromEntries(states.map((state) => [state, { said: 0, true: 0, both: 0 }]));
  const failures = [];
  let lines = 0;
  for (const row of requests) {
    if (row.kind === 'main' && row.said?.sight) {
      const items = itemsOf(row);
      for (const [name, { content, ranges, error }] of Object.entries(row.said.sight)) {
        const truth = world.states(name, items, sent);
        if (content !== world.content(name)) {
          failures.push(`request ${row.number}: ${name} is not as the script says, so it cannot be judged`);
          continue;
        }
        if (error) {
          if (row.at > 1) failures.push(`request ${row.number}: sees ${name}: ${error}`);
          continue;
        }
        const said = ranges.flatMap((each) => Array(each.to - each.from + 1).fill(each.state));
        for (const [i, state] of truth.entries()) {
          lines++;
          counts[said[i]].said++;
          counts[state].true++;
          if (said[i] === state) counts[state].both++;
          else row.wrong = [...(row.wrong ?? []), `${name}:${i + 1} is ${state}, and sees says ${said[i]}`];
        }
      }
      if (row.wrong) failures.push(`request ${row.number}, ${row.wrong.length} lines: ${row.wrong[0]}`);
    }
    if (row.kind === 'main' && !row.fault) world.apply(row.step);
  }
  return { counts, lines, failures };
}

const percent = (part, whole) => (whole > 0 ? (100 * part) / whole : undefined);
const shown = (n) => (n === undefined ? '-' : `${n.toFixed(2)}%`);

/** The rates of an agent, and the sentences of those beyond their bounds. */
export function sightRates({ counts, lines }) {
  const rates = {};
  const failures = [];
  for (const state of states) {
    const { said, true: real, both } = counts[state];
    rates[state] = { precision: percent(both, said), recall: percent(both, real), lines: real };
    for (const [name, value] of Object.entries(rates[state])) {
      if (name !== 'lines' && bounds.states.includes(state) && value < bounds.least)
        failures.push(`sight: the ${name} of ${state} lines is ${shown(value)}`);
    }
  }
  const unknown = percent(counts.unknown.said, lines);
  if (unknown > bounds.unknown) failures.push(`sight: ${shown(unknown)} of the lines are unknown`);
  return { rates, unknown, failures };
}

/** The cells of an agent's row: precision and recall of each state that is judged. */
export const sightCells = ({ counts, lines }) => {
  const { rates, unknown } = sightRates({ counts, lines });
  const of = (state) => `${shown(rates[state].precision)}, ${shown(rates[state].recall)} of ${rates[state].lines}`;
  return [String(lines), ...['verbatim', 'stale', 'own', 'gone'].map(of), shown(unknown)];
};
export const sightHeads = ['lines judged', 'verbatim: precision, recall', 'stale', 'own', 'gone', 'unknown'];
