// Copyright The ctx-lsp authors. MIT licence.

// A scripted provider on this machine: Messages, Responses, Chat Completions and Gemini. Its responses follow the
// script in the prompt (script.mjs), and the usage that it reports is a function of the whole request (size.mjs). It
// logs each request with its true size, and can ask ctx-lsp while a request waits.
//
//   const provider = await startProvider({ family, model, folder, given, packs, log, bodies, ask, after, … });
//   provider.origin, provider.requests, provider.close()
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { whole } from './answer.mjs';
import { Cache } from './cache.mjs';
import * as chat from './chat.mjs';
import { frames } from './frames.mjs';
import * as gemini from './gemini.mjs';
import * as messages from './messages.mjs';
import * as responses from './responses.mjs';
import { next, plan } from './script.mjs';
import { sizeOf } from './size.mjs';
import { openTokenizer } from './tokenizer.mjs';

const apis = { messages, responses, chat, gemini };

/** Tokens of a response with its frames. */
async function outputOf(step, family, count) {
  const frame = frames[family];
  let output = step.text ? (await count(step.text)) + frame.text : 0;
  output += step.reasoning ? await count(step.reasoning) : 0;
  for (const call of step.calls) {
    output += (await count(call.name + JSON.stringify(call.arguments))) + frame.call;
    output += frame.parameter * Object.keys(call.arguments).length;
  }
  return output;
}

export async function startProvider({
  family,
  model,
  folder,
  given,
  packs,
  log,
  bodies,
  ask,
  after,
  ends,
  note,
  hang,
  count,
  port = 0,
}) {
  // Claude's models have tokenizers of their own. A count that is given serves all models.
  const counts = new Map();
  const counterOf = (name) => {
    if (count) return count;
    const of = family === 'claude' ? name : model;
    if (!counts.has(of)) counts.set(of, openTokenizer(family, of, packs));
    return counts.get(of);
  };
  await counterOf(model);
  const faulted = new Set();
  const last = {};
  const cache = new Cache();
  const requests = [];
  let received = 0;
  if (bodies) mkdirSync(bodies, { recursive: true });

  async function answer(request, response, text) {
    const url = request.url.split('?')[0];
    const name = Object.keys(apis).find((each) => apis[each].isPath(url));
    if (!name || request.method !== 'POST') {
      if (log) appendFileSync(log, `${JSON.stringify({ url: request.url, method: request.method })}\n`);
      if (url.endsWith('/models'))
        return whole(response, { object: 'list', data: [{ id: model, object: 'model' }], models: [] });
      return whole(response, { error: { type: 'not_found_error', message: 'The lab has nothing here.' } }, 404);
    }
    const api = apis[name];
    const body = JSON.parse(text);
    const parts = api.read(body);
    const asked = api.modelOf?.(url) ?? body.model ?? model;
    const counter = await counterOf(asked);
    const size = await sizeOf(parts, family, counter, given);
    if (api.counts(url)) return whole(response, api.counted(size.input));
    const number = ++received;
    if (bodies) writeFileSync(path.join(bodies, `${String(number).padStart(3, '0')}.json`), text);
    const planned = url.endsWith('/compact') ? { kind: 'compaction' } : plan(parts);
    const row = {
      number,
      api: name,
      ...planned,
      input: size.input,
      rows: size.rows,
      around: size.around,
      inside: size.inside,
    };
    row.model = asked;
    if (planned.stream) {
      last[planned.stream] = size.input;
      row.last = { ...last };
    }
    const once = `${planned.stream} ${planned.script} ${planned.at}`;
    const fault = planned.fault && !faulted.has(once) ? planned.fault : undefined;
    row.fault = fault;
    row.retry = Boolean(planned.fault && !fault);
    if (fault) faulted.add(once);
    note?.(row);
    if (ask && planned.kind !== 'other') row.said = await ask();
    if (/^\d+$/.test(fault ?? '') || fault === 'hang') {
      requests.push(row);
      if (log) appendFileSync(log, `${JSON.stringify(row)}\n`);
      if (fault === 'hang') return hang?.(row, response);
      const type = { 429: 'rate_limit_error', 529: 'overloaded_error' }[fault] ?? 'api_error';
      response.setHeader('retry-after', '1');
      return whole(
        response,
        { type: 'error', error: { type, code: type, message: 'The lab fails once.' } },
        Number(fault),
      );
    }
    response.breaks = fault === 'abort';
    const step = next(parts, planned, { folder, after, ends });
    const usage = { input: size.input, ...cache.use(size, parts.byMarks, family === 'o200k' ? 128 : 1) };
    usage.output = await outputOf(step, family, counter);
    usage.reasoning = step.reasoning ? await counter(step.reasoning) : 0;
    Object.assign(row, { output: usage.output, calls: step.calls.map((call) => call.name), missing: step.missing });
    requests.push(row);
    if (log) appendFileSync(log, `${JSON.stringify(row)}\n`);
    api.write(response, { path: request.url, body, step, usage, model: asked });
  }

  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      answer(request, response, Buffer.concat(chunks).toString()).catch((error) => {
        requests.push({ failed: `${request.url}: ${error.stack}` });
        whole(response, { error: { message: String(error) } }, 500);
      });
    });
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() };
}
