// Copyright The ctx-lsp authors. MIT licence.
//
// Runs every file of examples/ and compares its output with the line that begins with "Prints:". An example has at most
// 40 lines, and README.md shows the one for Node. The status bar of docs/hosts.md is run, too. Arguments choose
// examples by their names. NVIM names the editor, and the daemon is bin/ctx-lsp. The last line is "N passed, M failed".

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { promisify } from 'node:util';

const root = new URL('..', import.meta.url).pathname;
const run = promisify(execFile);
const env = {
  ...process.env,
  PATH: join(root, 'bin') + delimiter + process.env.PATH,
  PYTHONPATH: join(root, 'python'),
};

/** Runs a program in the checkout and returns what it prints. */
async function output(program, ...args) {
  const { stdout } = await run(program, args, { cwd: root, env, timeout: 120_000 });
  return stdout;
}

/** Opens a page of the checkout in Chromium and returns the text of its bar. */
async function page(path) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, answer) => {
    const file = join(root, new URL(request.url, 'http://localhost').pathname);
    try {
      answer.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      answer.end(readFileSync(file));
    } catch {
      answer.destroy();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const profile = mkdtempSync(join(tmpdir(), 'ctx-example-'));
  try {
    const address = `http://127.0.0.1:${server.address().port}/${path}`;
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
    const dom = await output('chromium', ...flags, '--virtual-time-budget=60000', '--dump-dom', address);
    return `${/<pre id="bar">([^<]*)</.exec(dom)?.[1]}\n`;
  } finally {
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const runners = {
  '.mjs': (path) => output('node', path),
  '.html': page,
  '.go': (path) => output('go', 'run', path),
  '.py': (path) => output('python3', path),
  '.lua': (path) => output(process.env.NVIM || 'nvim', '-u', 'NONE', '-l', path),
};

/** Returns what is wrong with an example, or nothing. */
async function fault(name) {
  const text = readFileSync(join(root, 'examples', name), 'utf8');
  const lines = text.trimEnd().split('\n').length;
  const want = /Prints: (.*?)(?: -->)?$/m.exec(text)?.[1];
  if (lines > 40) return `it has ${lines} lines; at most 40 are meant`;
  if (!want) return 'it has no line that begins with "Prints:"';
  const got = await runners[extname(name)](`examples/${name}`);
  if (got !== `${want}\n`) return `it prints ${JSON.stringify(got)}, and not ${JSON.stringify(want)}`;
  if (name === 'node.mjs' && !readFileSync(join(root, 'README.md'), 'utf8').includes(`\`\`\`js\n${text}\`\`\`\n`))
    return 'README.md does not show it as it is';
}

/** Returns what is wrong with the status bar of docs/hosts.md, which is run as it is printed, or nothing. */
async function faultOfPage() {
  const code = /^```js\n(.*?)^```$/ms.exec(readFileSync(join(root, 'docs', 'hosts.md'), 'utf8'))?.[1];
  if (!code) return 'it has no program';
  const lines = code.split('\n').filter((line) => line.trim()).length;
  if (lines > 15) return `its status bar has ${lines} lines; at most 15 are meant`;
  const path = join(root, `.status-bar-${process.pid}.mjs`);
  const use = "await sending('Why does it fail?'); await answered({ input_tokens: 41_000, output_tokens: 400 });";
  try {
    writeFileSync(path, `${code}\n${use}\n`);
    const got = await output('node', path);
    const want = '~0% · 200k free · 160k left until it compacts\n21% · 159k free · 119k left until it compacts\n';
    if (got !== want) return `it prints ${JSON.stringify(got)}, and not ${JSON.stringify(want)}`;
  } finally {
    rmSync(path, { force: true });
  }
}

const chosen = process.argv.slice(2);
const names = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isFile() && (chosen.length === 0 || chosen.includes(entry.name)))
  .map((entry) => entry.name);
let failed = 0;
const describe = (error) => `${error.message}\n${error.stderr ?? ''}`;
const report = (name, wrong) => {
  if (!wrong) return;
  failed++;
  console.log(`failed: ${name}: ${wrong}`);
};
for (const name of names) {
  report(`examples/${name}`, await fault(name).catch(describe));
}
const bar = chosen.length === 0 || chosen.includes('hosts.md');
if (bar) report('docs/hosts.md', await faultOfPage().catch(describe));
const made = names.length + (bar ? 1 : 0);
console.log(`${made - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || made === 0 ? 1 : 0;
