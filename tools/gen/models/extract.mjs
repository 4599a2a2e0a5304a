// Copyright The ctx-lsp authors. MIT licence.

// Prints what the model registries say, one JSON object a line, in one shape:
//
//   {source, provider, id, type, window, input, output, reasoning, released, tokenizer, class, family, revision,
//    images}
//
// Usage: node extract.mjs DIRECTORY, where DIRECTORY holds the four packages as `npm pack` and tar lay them
// (pi-ai, cline-llms, pi-catalog, genai-prices). Nothing of the packages is run except two data literals.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const root = process.argv[2];
if (!root) {
  console.error('usage: node extract.mjs DIRECTORY');
  process.exit(2);
}
const read = (...parts) => fs.readFileSync(path.join(root, ...parts), 'utf8');
const whole = (n) => (Number.isSafeInteger(n) && n > 0 ? n : 0);
const out = [];
const put = (record) => out.push(`${JSON.stringify(record)}\n`);

// literalAt cuts the array or object literal that begins at `from`, strings and nesting respected.
function literalAt(text, from) {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === '"' || c === "'" || c === '`') {
      for (i++; text[i] !== c; i++) if (text[i] === '\\') i++;
    } else if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') {
      if (--depth === 0) return text.slice(from, i + 1);
    }
  }
  throw new Error('a data literal has no end');
}
const evaluate = (literal) => vm.runInNewContext(`(${literal})`, Object.create(null), { timeout: 20000 });

// pi-ai: one JSON file a provider, {api: {"type:id": model}}.
const data = path.join('pi-ai', 'dist', 'providers', 'data');
for (const file of fs.readdirSync(path.join(root, data)).sort()) {
  if (file.startsWith('.')) continue;
  const apis = JSON.parse(read(data, file));
  for (const api of Object.keys(apis))
    for (const key of Object.keys(apis[api])) {
      const m = apis[api][key];
      put({
        source: 'pi-ai',
        provider: m.provider,
        id: m.id,
        type: m.type ?? 'chat',
        window: whole(m.contextWindow),
        output: whole(m.maxTokens),
        reasoning: m.reasoning === true,
        tier: whole(m.cost?.tiers?.[0]?.inputTokensAbove),
      });
    }
}

// cline-llms: the bundle holds models.dev's catalogue as one object literal, {provider: {id: model}}.
{
  const text = read('cline-llms', 'dist', 'models.js');
  const first = text.search(/maxInputTokens:\d/);
  // Walk back from the first model to the start of the literal that holds every provider.
  let best = null;
  for (const match of text.slice(0, first).matchAll(/[=:]\{(?=["\w])/g)) {
    const start = match.index + 1;
    if (first - start > 200000) continue;
    let literal;
    try {
      literal = literalAt(text, start);
    } catch {
      continue;
    }
    if (literal.length < 1000000 || (best && best.length > literal.length)) continue;
    best = literal;
  }
  if (!best) throw new Error('cline-llms: its model catalogue was not found in dist/models.js');
  let catalogue = evaluate(best);
  if (catalogue.providers) catalogue = catalogue.providers;
  for (const provider of Object.keys(catalogue)) {
    const models = catalogue[provider].models ?? catalogue[provider];
    for (const id of Object.keys(models)) {
      const m = models[id];
      if (!m || typeof m !== 'object') continue;
      put({
        source: 'cline',
        provider,
        id: m.id ?? id,
        type: 'chat',
        window: whole(m.contextWindow),
        input: whole(m.maxInputTokens),
        output: whole(m.maxTokens),
        reasoning: (m.capabilities ?? []).includes('reasoning'),
        released: m.releaseDate ?? '',
        family: m.family ?? '',
      });
    }
  }
}

// pi-catalog: one file, {provider: {id: model}}, with identity and tokenizer.
{
  const catalogue = JSON.parse(read('pi-catalog', 'src', 'models.json'));
  for (const provider of Object.keys(catalogue))
    for (const id of Object.keys(catalogue[provider])) {
      const m = catalogue[provider][id];
      put({
        source: 'pi-catalog',
        provider,
        id: m.id ?? id,
        type: m.type ?? 'chat',
        window: whole(m.contextWindow),
        windowMost: whole(m.maxContextWindow),
        output: whole(m.maxTokens),
        reasoning: m.reasoning === true,
        tokenizer: m.tokenizer ?? '',
        class: m.identity?.class ?? '',
        family: m.identity?.family ?? '',
        revision: m.identity?.revision ?? '',
        allTurns: m.compat?.supportsAllTurnsReasoningContext === true,
      });
    }
}

// genai-prices: the list of providers is the first array literal of the module.
{
  const text = read('genai-prices', 'dist', 'index.js');
  const at = text.search(/=\s*\[\s*\{\s*id:/);
  if (at < 0) throw new Error('genai-prices: its list of providers was not found in dist/index.js');
  for (const provider of evaluate(literalAt(text, text.indexOf('[', at))))
    for (const m of provider.models ?? [])
      put({
        source: 'genai-prices',
        provider: provider.id,
        id: m.id,
        type: 'chat',
        window: whole(m.context_window),
        match: m.match,
      });
}

process.stdout.write(out.join(''));
