// Copyright The ctx-lsp authors. MIT licence.

// Compares what ctx-lsp said with what an agent sent, and lists what fails.

/** What fails: shares of the true number. */
export const limits = { tool: 0.01, row: 0.1, threshold: 0.03 };
/** Rows that differ by fewer tokens than this are right. */
const least = 100;
const fixed = ['system', 'tools', 'mcpTools', 'memory'];

/** Returns the numbers of a run for the table, and its failures as sentences. */
export function judge({ phases }) {
  const failures = [];
  const numbers = { requests: 0, errors: [], estimates: [], covered: 0, found: 0, missed: 0 };
  for (const phase of phases) {
    const fail = (text) => failures.push(`${phase.phase}: ${text}`);
    const main = phase.requests.filter((each) => each.kind === 'main');
    numbers.requests += phase.requests.length;
    for (const { failed } of phase.requests) if (failed) fail(`the provider failed: ${failed.split('\n')[0]}`);
    if (main.length === 0) fail('the agent made no request');
    if (!phase.requests.some((each) => each.kind === 'main' && !each.step))
      fail('the agent did not come to the end of a script');
    sessions(phase, main, numbers, fail);
    live(main, numbers, fail);
    unknown(phase, fail);
    if (!phase.turning) {
      replay(phase, numbers, fail);
      rows(main, numbers, fail);
    }
    threshold(phase, numbers, fail);
    if (phase.phase === 'terminal') {
      for (const name of ['hook', 'statusline']) {
        if (!phase.calls.some(({ what }) => what.startsWith(name))) fail(`the agent did not run ctx-lsp ${name}`);
      }
    }
    for (const { code, what } of phase.calls) if (code !== 0) fail(`ctx-lsp ${what} exited with ${code}`);
  }
  return { numbers, failures };
}

/**
 * The session of the folder has to be found as soon as there is one, and at the end. An agent that records no folder is
 * `unplaced`: once it has ended, its session is only listed.
 */
function sessions(phase, main, numbers, fail) {
  if (!phase.sessions.some((each) => phase.unplaced || each.workspace === phase.folder))
    fail('no session of the folder is listed');
  for (const [i, { number, said }] of main.entries()) {
    if (!said) continue;
    if (!said.error) numbers.found++;
    else if (i > 0) {
      numbers.missed++;
      fail(`request ${number}: no session was found: ${said.error.split('\n')[0]}`);
    }
  }
}

/** Errors while a request waited. Before the first measurement, the number is an estimate with its mark, and not 0. */
function live(main, numbers, fail) {
  for (const [i, { number, input, said }] of main.entries()) {
    if (!said || said.error) continue;
    if (!said.measured) {
      if (i > 0) numbers.estimates.push(said.used - input);
      if (/measured/.test(said.basis)) fail(`request ${number}: an estimate has the basis ${said.basis}`);
      if (i > 0 && !said.used) fail(`request ${number}: the estimate is 0`);
      continue;
    }
    numbers.errors.push(said.used - input);
    if (said.low <= input && input <= said.high) numbers.covered++;
  }
}

function replay(phase, numbers, fail) {
  if (phase.replay.error) return fail(`replay: ${phase.replay.error.split('\n')[0]}`);
  const tool = phase.replay.kinds.find((each) => each.kind === 'tool');
  if (!tool) return fail('replay found no tool step');
  numbers.tool = Math.max(numbers.tool ?? 0, tool.p95Percent / 100);
  if (tool.p95Percent / 100 > limits.tool) fail(`replay: the 95th percentile of tool steps is ${tool.p95Percent}%`);
}

/** Records of an unknown type, by what the status of a session, doctor and replay say. */
function unknown(phase, fail) {
  const said = new Set();
  for (const { said: reading } of phase.requests) for (const each of reading?.warnings ?? []) said.add(each);
  for (const each of phase.replayErrors.split('\n')) if (/skipped|does not know|unknown/.test(each)) said.add(each);
  const last = new Map(); // without the same sentence of each request
  for (const each of said)
    if (/skipped|does not know|unknown|newer/.test(each)) last.set(each.replace(/\d+/g, ''), each);
  for (const each of last.values()) fail(each.replace(/^ctx-lsp: /, ''));
}

/**
 * Rows of the fixed context in the last measured request. Kinds without a row have to be in the rows without a name;
 * the tools of MCP servers may be in the row of the tools.
 */
function rows(main, numbers, fail) {
  const last = main.findLast((each) => each.said?.measured);
  if (!last) return fail('no request was measured while the agent ran');
  const shown = {};
  let nameless = 0;
  for (const { kind, tokens } of last.said.rows) {
    if (fixed.includes(kind)) shown[kind] = (shown[kind] ?? 0) + tokens;
    else if (kind === 'prefix' || kind === 'unattributed') nameless += tokens;
  }
  numbers.rows = {};
  let rest = 0;
  const missing = [];
  const all = last.rows.tools + last.rows.mcpTools;
  const joined = shown.mcpTools === undefined && Math.abs(shown.tools - all) <= Math.max(all * limits.row, least);
  for (const kind of fixed) {
    let actual = joined && kind === 'tools' ? all : last.rows[kind];
    if (joined && kind === 'mcpTools') continue;
    if (shown[kind] === undefined) {
      if (actual >= least) missing.push(kind);
      if (!within(last, kind, shown)) rest += actual;
      continue;
    }
    for (const [of, tokens] of Object.entries(last.inside?.[kind] ?? {})) if (shown[of] === undefined) actual += tokens;
    const most = actual + (last.around[kind] ?? 0);
    const off = shown[kind] < actual ? shown[kind] - actual : Math.max(shown[kind] - most, 0);
    numbers.rows[kind] = { shown: shown[kind], actual, off };
    if (Math.abs(off) > Math.max(actual * limits.row, least)) fail(`row ${kind}: ${shown[kind]} for ${actual}`);
  }
  if (missing.length === 0) return;
  numbers.unnamed = missing;
  const off = nameless - rest;
  if (-off > Math.max(rest * limits.row, least))
    fail(`rows ${missing.join(', ')}: ${nameless} without a name for ${rest}`);
}

/** Whether a kind without a row is inside of one that has a row. */
const within = ({ inside }, kind, shown) =>
  Object.entries(inside ?? {}).some(([of, kinds]) => shown[of] !== undefined && kinds[kind]);

/** The threshold has to be between the size of the last request before a compaction and the size that led to it. */
function threshold(phase, numbers, fail) {
  if (!phase.small) return;
  const at = phase.requests.findIndex((each) => each.kind === 'compaction');
  if (at < 0) return fail('the agent did not compact');
  const before = phase.requests.slice(0, at).filter((each) => each.kind === 'main');
  const threshold = before.findLast((each) => each.said?.threshold)?.said.threshold;
  const total = (each) => (each ? each.input + each.output : 0);
  // By the usage of the last response, by that of the last response in the same turn or of the last turn, or by the
  // size of the request that it compacted instead of.
  const turns = before.filter((each) => !each.step);
  const [low, high] = {
    after: () => [total(before.at(-2)), total(before.at(-1))],
    background: () => [total(before.at(-3)), total(before.at(-1))], // another request may come before it
    step: () => [total(before.slice(0, -1).findLast((each) => each.step)), total(before.at(-1))],
    turn: () => [total(turns.at(-2)), total(turns.at(-1))],
    before: () => [before.at(-1)?.input ?? 0, phase.requests[at].said?.used ?? phase.requests[at].input],
  }[phase.compacts]();
  numbers.threshold = { threshold, low, high };
  if (!threshold) return fail(`no threshold was shown; the agent compacted between ${low} and ${high}`);
  const off = threshold < low ? low - threshold : Math.max(threshold - high, 0);
  if (off > threshold * limits.threshold)
    fail(`threshold ${threshold}: the agent compacted between ${low} and ${high}`);
  for (const { number, kind, said } of phase.requests.slice(at)) {
    const after = said?.threshold;
    if (kind === 'main' && after && Math.abs(after - threshold) > threshold * limits.threshold) {
      return fail(`request ${number} after the compaction: the threshold is ${after}, and was ${threshold}`);
    }
  }
}
