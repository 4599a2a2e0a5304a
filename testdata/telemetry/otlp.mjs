// Copyright The ctx-lsp authors. MIT licence.
//
// Sends a real collector what the daemon and `ctx-lsp top --otlp` measure, by both protocols, and reads what the
// collector has understood.
//   node otlp.mjs CTX-LSP COLLECTOR
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, counted, freePort, sleep } from '../checks.mjs';

const [program, collector] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'ctx-otlp-'));
const within = async (ms, is) => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) if (is()) return true;
  return is();
};

// What the collector's exporter prints: a block for each metric, and in it the points with their attributes.
function understood(log) {
  const found = new Map();
  for (const block of log.split(/^Metric #\d+$/m).slice(1)) {
    const name = block.match(/-> Name: (\S+)/)?.[1];
    found.set(name, block);
  }
  return found;
}

const every = [
  ...['used', 'window', 'threshold', 'headroom', 'utilization', 'composition'].map((each) => `ctx.context.${each}`),
  ...['ctx.compactions', 'ctx.compaction.before', 'ctx.compaction.after', 'ctx.requests.at', 'ctx.first_request'],
  ...['ctx.prediction.error', 'ctx.sessions', 'ctx.telemetry.dropped'],
  ...['gen_ai.context.window_size', 'gen_ai.context.utilization'],
];

// A session that is told to a daemon: six requests, a compaction, and one more.
async function daemon(env, args) {
  const child = spawn(program, ['serve', '--state=none', '--engine=native', ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  child.stdout.resume();
  let id = 0;
  const say = (method, params, notification) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, ...(notification ? {} : { id: ++id }) });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const session = {
    id: 'private-session',
    agent: 'claude-code',
    model: 'claude-sonnet-4-5',
    workspace: '/home/secret/shop',
  };
  const request = (n, tokens) => {
    say('ctx/session/update', { id: session.id, append: [{ kind: 'user', text: `private words ${n}` }] });
    const usage = { input_tokens: 10, cache_read_input_tokens: tokens, output_tokens: 50 };
    say('ctx/session/usage', { id: session.id, usage });
  };
  say('initialize', { capabilities: {}, processId: null });
  say('initialized', {}, true);
  say('ctx/session/open', session);
  say('ctx/session/update', { id: session.id, fixed: { system: 3000, tools: 12000 } });
  for (let n = 1; n <= 6; n++) {
    request(n, 20000 * n);
    await sleep(300);
  }
  say('ctx/session/compacted', { id: session.id, trigger: 'auto', summary: { tokens: 2000 } });
  await sleep(300);
  request(7, 24000);
  return { child, said: () => said };
}

// A transcript that grows while it is watched.
async function watch(env, args) {
  const folder = join(env.HOME, '.claude/projects/-home-secret-shop');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, '0197aaaa-0000-7000-8000-000000000001.jsonl');
  let n = 0;
  const record = (type, rest) => {
    const about = { type, uuid: `u${++n}`, parentUuid: n > 1 ? `u${n - 1}` : null, isSidechain: false };
    const where = { sessionId: '0197aaaa-0000-7000-8000-000000000001', version: '2.1.200', cwd: '/home/secret/shop' };
    appendFileSync(path, `${JSON.stringify({ ...about, ...where, timestamp: new Date().toISOString(), ...rest })}\n`);
  };
  const request = (tokens) => {
    record('user', { message: { role: 'user', content: `private words ${n}` } });
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: tokens,
      output_tokens: 50,
    };
    const content = [{ type: 'text', text: 'private answer' }];
    const message = { id: `m${n}`, role: 'assistant', model: 'claude-sonnet-4-5', content, usage };
    record('assistant', { requestId: `r${n}`, message });
  };
  const child = spawn(program, ['top', '--json', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  child.stdout.resume();
  await sleep(1500);
  for (let i = 1; i <= 6; i++) {
    request(20000 * i);
    await sleep(400);
  }
  record('system', {
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto', preTokens: 120065 },
  });
  record('user', { isCompactSummary: true, message: { role: 'user', content: 'private summary' } });
  await sleep(400);
  request(24000);
  return { child, said: () => said };
}

for (const protocol of ['http/protobuf', 'http/json']) {
  for (const [who, begin] of Object.entries({ daemon, watch })) {
    const name = `${who}, ${protocol}`;
    const folder = mkdtempSync(join(root, 'run-'));
    const port = await freePort();
    const config = join(folder, 'config.yaml');
    writeFileSync(
      config,
      `receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:${port}"}}}}
exporters: {debug: {verbosity: detailed, use_internal_logger: false, output_paths: [${join(folder, 'log')}]}}
service: {telemetry: {metrics: {level: none}}, pipelines: {metrics: {receivers: [otlp], exporters: [debug]}}}
`,
    );
    let heard = '';
    const collecting = spawn(collector, [`--config=${config}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [collecting.stdout, collecting.stderr]) stream.on('data', (text) => (heard += text));
    const log = () => {
      try {
        return readFileSync(join(folder, 'log'), 'utf8');
      } catch {
        return '';
      }
    };
    let run;
    try {
      check(`${name}: the collector begins`, await within(20_000, () => /Everything is ready/.test(heard)), heard);
      const env = {
        ...process.env,
        HOME: folder,
        XDG_STATE_HOME: join(folder, 'state'),
        CTX_EXPORT_KEY: 'a key of the test',
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
      };
      run = await begin(env, [`--otlp=http://127.0.0.1:${port}`]);
      const done = () => /Name: ctx\.compaction\.after/.test(log()) && understood(log()).size >= every.length;
      await within(10_000, done);
      await sleep(700);
      const text = log();
      const metrics = understood(text);
      for (const metric of every) check(`${name}: ${metric}`, metrics.has(metric), [...metrics.keys()]);
      const has = (metric, pattern) =>
        check(`${name}: ${metric} is ${pattern}`, pattern.test(metrics.get(metric) ?? ''), metrics.get(metric));
      has('ctx.requests.at', /Count: 7\n/);
      has(
        'ctx.requests.at',
        /gen_ai\.agent\.name: Str\(claude-code\)[\s\S]*gen_ai\.request\.model: Str\(claude-sonnet-4-5\)/,
      );
      has('ctx.compactions', /ctx\.compaction\.trigger: Str\(auto\)[\s\S]*Value: 1\n/);
      has('ctx.compaction.before', /Count: 1\n/);
      has('ctx.context.window', /Value: 200000\n/);
      // Backends know the share of the window by its own name; the other share is of the compaction threshold.
      const of = (metric) => Number(metrics.get(metric)?.match(/Value: ([0-9.]+)\n/)?.[1]);
      const [used, window, threshold] = ['used', 'window', 'threshold'].map((each) => of(`ctx.context.${each}`));
      const shares = [of('gen_ai.context.utilization'), of('ctx.context.utilization')];
      const differ = Math.max(Math.abs(shares[0] - used / window), Math.abs(shares[1] - used / threshold));
      check(
        `${name}: the shares of window and threshold`,
        differ <= 0.0001,
        `${shares} ${used} ${window} ${threshold}`,
      );
      check(`${name}: the threshold is less than the window`, shares[1] - shares[0] > 0.005, shares);
      check(`${name}: the window by its other name`, of('gen_ai.context.window_size') === window, window);
      has('ctx.sessions', /ctx\.level: Str\(ok\)/);
      has('ctx.telemetry.dropped', /Value: 0\n/);
      check(`${name}: the resource`, /service\.name: Str\(ctx-lsp\)/.test(text), text.slice(0, 800));
      check(
        `${name}: no text, path or session`,
        !/private|secret|0197aaaa/.test(text),
        text.match(/.*(private|secret|0197aaaa).*/)?.[0],
      );
      check(`${name}: the sender has nothing to say`, run.said() === '', run.said());
    } catch (problem) {
      check(name, false, problem.stack);
    } finally {
      run?.child.kill();
      collecting.kill();
      await sleep(300);
    }
  }
}
rmSync(root, { recursive: true, force: true });
console.log(`${counted.passed} passed, ${counted.failed} failed`);
process.exit(counted.failed > 0 ? 1 : 0);
