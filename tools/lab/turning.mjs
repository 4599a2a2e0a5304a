// Copyright The ctx-lsp authors. MIT licence.

// Judges what a user sees before each request against the request itself: each front end's number, session, level and
// compactions. A number that says that it is uncertain may be wrong; a number without a mark may not.

/** What fails: a number that is off by more than both, a range that is wider, and more marks that were not needed. */
export const bounds = { share: 0.02, tokens: 500, wide: 0.25, needless: 0.02, threshold: 0.03 };

const isWrong = (used, truth, half = 0) =>
  Math.abs(used - truth) > Math.max(truth * bounds.share, bounds.tokens) + half;
const isMarked = ({ mark, cause }) => Boolean(mark || cause);
const signed = (n) => `${n > 0 ? '+' : ''}${n}`;

/**
 * Returns the failures of a phase, as sentences, and its numbers: requests that were compared, wrong pictures, the
 * worst error without a mark, first numbers with those that their range covered, steady steps with those that carried a
 * mark without a need, and the sum of interval scores as shares of the truth.
 */
export function judgeTurning(phase) {
  const failures = new Set();
  const numbers = {
    compared: 0,
    wrong: 0,
    worst: 0,
    marked: 0,
    firsts: 0,
    covered: 0,
    steady: 0,
    needless: 0,
    score: 0,
  };
  let happened = 0;
  let before;
  const sent = [];
  for (const row of phase.requests) {
    if (row.input) sent.push(row.input);
    const { said, number } = row;
    const found = said && !said.error;
    if (row.kind === 'main' && found) {
      const wrong = [];
      const fail = (text) => wrong.push(`request ${number}${row.turn ? ` (${row.turn})` : ''}: ${text}`);
      numbers.compared++;
      const shown = phase.streams?.[said.session];
      const another = row.stream && shown && shown !== row.stream;
      if (another) other(row, shown, fail);
      else {
        if (!first(row, numbers)) sized(row, numbers, fail);
        level(row, fail);
        advised(row, fail);
      }
      views(row, another ? row.said.used : row.input, fail);
      compactions(row, happened, fail);
      charted(row, sent, fail);
      steady(row, before, numbers);
      if (wrong.length > 0) numbers.wrong++;
      for (const each of wrong) failures.add(each);
    }
    if (row.kind === 'compaction') {
      if (phase.small && !row.manual && found) announced(row, before, (text) => failures.add(text));
      happened++;
    }
    if (row.kind === 'main') before = row;
  }
  return { failures: [...failures], numbers };
}

/** A number before the first measurement is judged as a rate: its range covers the request or not. */
function first({ said, input }, numbers) {
  if (said.measured) return false;
  numbers.firsts++;
  if (said.low <= input && input <= said.high) numbers.covered++;
  return true;
}

function sized({ said, input }, numbers, fail) {
  const { used, low, high } = said;
  const outside = input < low || input > high;
  const miss = input < low ? low - input : Math.max(input - high, 0);
  numbers.score += (high - low + 20 * miss) / input; // the interval score of a range of 90%
  if (isMarked(said)) {
    numbers.marked++;
    if (high - low > input * bounds.wide && !said.unknowable)
      fail(`the marked range ${low} to ${high} is wider than a quarter of ${input}: ${said.cause || said.mark}`);
    return;
  }
  if (Math.abs(used - input) > Math.abs(numbers.worst)) numbers.worst = used - input;
  if (outside && isWrong(used, input)) fail(`status shows ${used} [${low} to ${high}] for ${input}, unmarked`);
}

/** If two sessions run in a folder, the one that is shown has to have its own number, and not that of the other. */
function other({ said, input, last }, shown, fail) {
  const own = last?.[shown];
  if (own && isWrong(said.used, own) && !isWrong(said.used, input))
    fail(`status shows the number of another session, ${said.used} for ${own}`);
}

/** Other front ends have to be marked where status is; what they show without a mark has to be right. */
function views({ said }, input, fail) {
  if (!said.views) return;
  const { shell, statusline, history, daemon, top } = said.views;
  if (shell === null) fail('statusline --for=shell prints nothing');
  for (const [name, view] of Object.entries({ 'statusline --for=shell': shell, statusline, daemon })) {
    if (!view || view.used === undefined) continue;
    if (view.session !== said.session) {
      fail(`${name} shows the session ${view.session}, and status ${said.session}`);
      continue;
    }
    const covered =
      !isMarked(said) && said.low <= input && input <= said.high && Math.abs(view.used - said.used) <= 500;
    const truth = said.measured ? input : said.used;
    if (!isMarked(view) && !covered && isWrong(view.used, truth, view.half))
      fail(`${name} shows ${view.used} for ${truth}, unmarked`);
  }
  if (daemon?.session === said.session && top !== undefined && said.limit) {
    const shown = Math.round((100 * said.used) / said.limit);
    if (Math.abs(top - shown) > 1 && !isMarked(said)) fail(`top --plain shows ${top}%, and status ${shown}%`);
  }
  if (history && history.compactions !== said.compactions)
    fail(`history shows ${history.compactions} compactions, and status ${said.compactions}`);
}

/** A level that the request contradicts: over below the threshold, or ok or soon beyond it. */
function level({ said, input }, fail) {
  const { threshold } = said;
  if (!threshold || isMarked(said)) return;
  const slack = Math.max(threshold * bounds.threshold, bounds.tokens);
  if (said.level === 'over' && input < threshold - slack) fail(`the level is over, at ${input} of ${threshold}`);
  if (/^(ok|soon)$/.test(said.level) && input > threshold + slack)
    fail(`the level is ${said.level}, at ${input} of ${threshold}`);
}

/** Advice that the request contradicts: to free more than it has, or to compact it far below the threshold. */
function advised({ said, input }, fail) {
  if (isMarked(said)) return;
  for (const { action, tokens } of said.advice ?? []) {
    if (tokens > input + bounds.tokens) fail(`the advice ${action} frees ${tokens} of ${input}`);
    if (action === 'compact' && said.threshold && input < said.threshold / 2)
      fail(`compacting is advised at ${input} of ${said.threshold}`);
  }
}

/** The last point of the chart is a request that was sent. */
function charted({ said }, sent, fail) {
  const used = said.views?.history?.used;
  if (said.measured && used !== undefined && !sent.some((input) => !isWrong(used, input)))
    fail(`history ends at ${used}, and no request had that size`);
}

function compactions({ said }, happened, fail) {
  if (said.compactions > happened) fail(`${said.compactions} compactions are shown, and ${happened} happened`);
}

/** An automatic compaction has to come at the level now or over, as shown when it began or one request before. */
function announced({ number, said }, before, fail) {
  const levels = [before?.said?.level, said.level];
  if (!levels.some((each) => each === 'now' || each === 'over'))
    fail(`request ${number}: the agent compacts, and the level was ${levels.join(', then ')}`);
}

/** A steady step follows a measured one of the same script in the same process, and nothing was changed. */
function steady(row, before, numbers) {
  if (!before?.said?.measured || !row.said.measured || row.fault || before.fault || row.step === before.step) return;
  if (!(row.at > 1) || row.script !== before.script) return;
  numbers.steady++;
  const { used, low, high } = row.said;
  const needed = row.input < low || row.input > high || isWrong(used, row.input);
  if (row.said.cause && !needed) numbers.needless++;
}

/** Fails if first numbers or needless marks of all phases of an agent are beyond their rates. */
export function judgeRates(numbers) {
  const sum = (name) => numbers.reduce((total, each) => total + each[name], 0);
  const failures = [];
  const [steps, needless, firsts, covered] = ['steady', 'needless', 'firsts', 'covered'].map(sum);
  if (needless > Math.max(steps * bounds.needless, 1))
    failures.push(`${needless} of ${steps} steady steps carry a mark that was not needed`);
  if (firsts >= 10 && covered < firsts * 0.9) failures.push(`the first range covers ${covered} of ${firsts} requests`);
  return { failures, steps, needless, firsts, covered };
}

/** A cell of the table of turning points: wrong pictures of compared requests, and the worst error without a mark. */
export const cell = ({ compared, wrong, worst }) => (compared ? `${wrong}/${compared}, ${signed(worst)}` : '-');
