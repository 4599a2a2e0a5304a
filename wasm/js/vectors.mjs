// Copyright The ctx-lsp authors. MIT licence.

// Runs the conformance vectors of testdata/conformance on the module, in any JavaScript host. internal/engine/vectors
// does the same in Go and describes the files.

/** Returns the digests of the responses that every engine must give, by vector, from the content of answers.sum. */
export function readSums(text) {
  const sums = new Map();
  for (const line of text.split('\n')) {
    const at = line.indexOf('  ');
    if (at > 0 && !line.startsWith('#')) sums.set(line.slice(at + 2), line.slice(0, at));
  }
  return sums;
}

/**
 * Runs the vectors of one file, each on its own core.
 * @param name the file's name without its extension
 * @param file its content
 * @param sums the result of readSums
 * @param fresh creates a new core
 * @returns for each vector {vector, why}, where why is empty if it passed
 */
export async function runFile(name, file, sums, fresh) {
  const results = [];
  for (const vector of file.vectors) {
    const key = `${name}: ${vector.name}`;
    let why;
    try {
      why = await run(vector, sums.get(key), await fresh());
    } catch (e) {
      why = String(e?.message ?? e);
    }
    results.push({ vector: key, why });
  }
  return results;
}

async function run(vector, wanted, core) {
  const answers = [];
  const saves = '{"result":{"ledger":';
  let why = '';
  let saved = '';
  let told = [];
  for (const [i, call] of vector.calls.entries()) {
    told = grow(call.params, told);
    let params = message(call.params);
    if (typeof params === 'string') params = params.replaceAll('{"$saved":true}', () => saved);
    const answer = await core.answer(call.method, params);
    if (answer.startsWith(saves)) saved = answer.slice(saves.length, -2);
    answers.push(answer, '\n');
    const wrong = check(call, answer);
    if (wrong && !why) why = `call ${i + 1}, ${call.method}: ${wrong}\n    answer: ${answer.slice(0, 4000)}`;
  }
  if (why) return why;
  if (!wanted) return 'its answers are not in answers.sum yet; make vectors records them';
  const sum = await sha256(answers.join(''));
  return sum === wanted ? '' : 'it is answered as it says, but not with the bytes recorded in answers.sum';
}

async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, '0')).join('');
}

/** Returns the parameters of a call in the form in which they are sent: a string, or bytes. */
function message(params = {}) {
  if (isObject(params) && '$base64' in params) return Uint8Array.from(atob(params.$base64), (c) => c.charCodeAt(0));
  if (isObject(params) && '$raw' in params) return expand(params.$raw);
  return JSON.stringify(expand(params));
}

/** Replaces {"$first": n} in messages by the first of those passed before, and returns all that are passed now. */
function grow(params, told) {
  const all = Array.isArray(params?.append) ? [...told, ...params.append] : told;
  if (!Array.isArray(params?.messages) || params.messages.length === 0) return all;
  const [head, ...rest] = params.messages;
  if (head?.$first) params.messages = [...all.slice(0, head.$first), ...rest];
  return params.messages;
}

function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (!isObject(value)) return value;
  if ('$repeat' in value) return value.$repeat.repeat(value.times);
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, expand(v)]));
}

function isObject(v) {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}

function check(call, answer) {
  const { result, error } = JSON.parse(answer);
  if (call.error) {
    if (!error) return 'an error was expected';
    if (!Number.isInteger(error.code) || error.code === 0 || !error.message)
      return 'the error has no code or no message';
    return differs('data', call.error, error.data, false);
  }
  if (error) return 'it is refused';
  if (call.exact !== undefined) return differs('result', call.exact, result, true);
  return differs('result', call.expect, result, false);
}

/**
 * Returns where got differs from want; empty if it does not. An object may have additional fields, unless whole is set.
 */
function differs(at, want, got, whole) {
  if (want === undefined) return '';
  const unlike = `${at} is ${JSON.stringify(got)}, want ${JSON.stringify(want)}`;
  if (Array.isArray(want)) {
    if (!Array.isArray(got) || got.length !== want.length) return unlike;
    return want.reduce((why, w, i) => why || differs(`${at}[${i}]`, w, got[i], whole), '');
  }
  if (isObject(want)) {
    if (!isObject(got)) return unlike;
    const extra = whole && Object.keys(got).find((key) => !(key in want));
    if (extra) return `${at}.${extra} is one too many`;
    return Object.keys(want).reduce(
      (why, key) => why || differs(`${at}.${key}`, want[key], key in got ? got[key] : undefined, whole),
      '',
    );
  }
  return want === got ? '' : unlike;
}
