// Copyright The ctx-lsp authors. MIT licence.
//
// A real Prometheus scrapes a daemon in which a session works, and answers what the dashboard asks.
//   node scrape.mjs CTX-LSP
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, counted, freePort, sleep } from '../checks.mjs';

const program = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'ctx-telemetry-'));
const [metrics, port] = [await freePort(), await freePort()];

const env = {
  ...process.env,
  HOME: folder,
  XDG_STATE_HOME: join(folder, 'state'),
  CTX_EXPORT_KEY: 'a key of the test',
};
const daemon = spawn(program, ['serve', `--metrics=${metrics}`, '--state=none', '--engine=native'], {
  env,
  stdio: ['pipe', 'pipe', 'ignore'],
});
daemon.stdout.resume();
let id = 0;
const say = (method, params, notification) => {
  const body = JSON.stringify({ jsonrpc: '2.0', method, params, ...(notification ? {} : { id: ++id }) });
  daemon.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const config = join(folder, 'prometheus.yml');
writeFileSync(
  config,
  `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [${join(process.cwd(), 'docs/telemetry/recording.yml')}, ${join(process.cwd(), 'docs/telemetry/alerts.yml')}]
scrape_configs: [{job_name: ctx-lsp, static_configs: [{targets: ['127.0.0.1:${metrics}']}]}]
`,
);
const prometheus = spawn(
  'prometheus',
  [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
  { stdio: 'ignore' },
);
try {
  say('initialize', { capabilities: {}, processId: null });
  say('initialized', {}, true);
  const session = {
    id: 'private-session',
    agent: 'claude-code',
    model: 'claude-sonnet-4-5',
    workspace: '/home/secret/shop',
  };
  say('ctx/session/open', session);
  say('ctx/session/update', { id: session.id, fixed: { system: 3000, tools: 12000 } });
  for (let n = 1; n <= 6; n++) {
    say('ctx/session/update', { id: session.id, append: [{ kind: 'user', text: `private words ${n}` }] });
    say('ctx/session/usage', {
      id: session.id,
      usage: { input_tokens: 10, cache_read_input_tokens: 20000 * n, output_tokens: 50 },
    });
    await sleep(1200);
  }
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const lint = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  check('promtool check metrics', lint.status === 0, lint.stdout + lint.stderr);
  check('no text, path or session is in the metrics', !/private|secret/.test(text), text);
  const ask = async (query) => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
    const answer = await (await fetch(url)).json();
    return (answer.data?.result ?? []).map((each) => Number(each.value[1]));
  };
  const dashboard = JSON.parse(readFileSync('docs/telemetry/dashboard.json', 'utf8'));
  const queries = dashboard.panels.flatMap((panel) => panel.targets.map((target) => [panel.title, target.expr]));
  for (const [title, query] of queries) {
    const real = query.replaceAll('$__range', '5m').replaceAll('$__rate_interval', '1m');
    const answer = await ask(real);
    const rare = /ctx_compactions|ctx_first_request/.test(query); // nothing of them has happened here
    check(`${title}: ${real}`, rare || answer.length > 0, JSON.stringify(answer));
  }
  const [share] = await ask('max(ctx_context_utilization_ratio)');
  check('the fullest session', share > 0.5 && share < 1, share);
  // Backends know the share of the window by its own name; the other share is of the compaction threshold.
  const differs = async (name, query) => {
    const [by] = await ask(`abs(${query})`);
    check(name, by <= 0.0001, by);
  };
  await differs('the share of the window', 'gen_ai_context_utilization_ratio - ctx_context_used / ctx_context_window');
  await differs(
    'the share of the threshold',
    'ctx_context_utilization_ratio - ctx_context_used / ctx_context_threshold',
  );
  await differs('the window', 'gen_ai_context_window_size - ctx_context_window');
  const [apart] = await ask('ctx_context_utilization_ratio - gen_ai_context_utilization_ratio');
  check('the threshold is less than the window', apart > 0.01, apart);
  const [requests] = await ask('sum(ctx_requests_at_count)');
  check('the requests', requests === 6, requests);
  const [largest] = await ask('ctx_requests_at_bucket{le="96000"}');
  check('the sizes of prompts', largest === 4, largest);
  const rules = await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json();
  const bad = rules.data.groups.flatMap((group) => group.rules).filter((rule) => rule.health === 'err');
  check('the rules are evaluated', rules.data.groups.length === 2 && bad.length === 0, JSON.stringify(bad));
} catch (problem) {
  check('the scrape', false, problem.stack);
} finally {
  daemon.kill();
  prometheus.kill();
  await sleep(300);
  rmSync(folder, { recursive: true, force: true });
}
console.log(`scrape ${counted.passed} ${counted.failed}`);
