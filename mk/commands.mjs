// Copyright The ctx-lsp authors. MIT licence.
//
// Runs the commands that README.md and the extensions' pages name, as they are printed, in a fresh clone and an empty
// home directory: `node mk/commands.mjs [--all]`. Without --all it runs those that are cheap. Only the caches of Go's
// modules and builds and of npm are shared. A command that needs a release must say so: its section's title, its
// paragraph or the paragraph before it contains "first release". A command without a rule below is a failure. The last
// line is "N passed, M failed".

import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const all = process.argv.includes('--all');

/** What happens with a command: the first rule that matches it decides. */
const rules = [
  // Released programs, packages and repositories.
  [/^(npx|uvx) ctx-lsp\b|^(npm install -g|pipx install) ctx-lsp$|^go install \S+@latest$/, 'release'],
  [/^\/plugin |^copilot plugin |^git clone https:|^gemini extensions /, 'release'],
  // `make test` runs these suites, in CI.
  [/^make test(-\w+)?$|^make test-neovim SPEC=status$|^node test\/run\.mjs /, 'suite'],
  // These draw, measure or write files of the repository, or need clones of others' plugins.
  [/^make (vscode-screenshots|vscode-pictures|vscode-figures|browser-screenshots|bench-neovim|doc-neovim)$/, 'other'],
  [/^make (tinygo|lint-lua format|test-neovim SPEC=plugins)$|^go test .* -update$|^npm run l10n$/, 'other'],
  // Everything below is run.
  [/^make vscode-package$|^code |^mkdir |^ln |^nvim$|^(bin\/)?ctx-lsp /, 'cheap'],
  [/^make (run|install|install-fleet|wasm|vscode|vscode-types|browser)$|^node examples\//, 'dear'],
];

const programs = /^(make|(bin\/)?ctx-lsp|npm|npx|uvx|pipx|go|node|code|nvim|mkdir|ln|git|copilot|gemini|\/plugin)( |$)/;

/** Returns the commands of a page, in order: of indented and shell blocks, and those between backquotes. */
function commandsOf(page) {
  const found = [];
  const text = readFileSync(join(root, page), 'utf8');
  let heading = '';
  let before = '';
  let fence = '';
  for (const paragraph of text.split('\n\n')) {
    const block = paragraph.startsWith('    ');
    if (paragraph.startsWith('#')) heading = paragraph.split('\n')[0];
    const marked = /first\s+release/.test(`${heading}\n${before}\n${paragraph}`);
    const add = (command, inText) => programs.test(command) && found.push({ page, command, inText, marked });
    if (block && !fence) {
      for (const line of paragraph.split('\n')) add(line.slice(4).split(/ {2,}/)[0].trim(), false);
    } else {
      for (const line of paragraph.split('\n')) {
        if (line.startsWith('```')) fence = fence ? '' : line;
        else if (fence && /^```(sh|bash|console)$/.test(fence)) add(line.replace(/^\$ /, ''), false);
      }
      if (!fence) {
        const prose = paragraph.replace(/```[\s\S]*?```/g, '').replaceAll('\n', ' ');
        for (const [, command] of prose.matchAll(/`([^`]+)`/g)) if (command.includes(' ')) add(command, true);
      }
    }
    if (!block) before = paragraph;
  }
  return found;
}

const base = mkdtempSync(join(tmpdir(), 'ctx-commands-'));
const [home, clone, project, shims] = ['home', 'ctx-lsp', 'project', 'shims'].map((name) => join(base, name));

/** Makes the clone, the home of somebody whose agent has worked in a project, and stand-ins for editors. */
function prepare() {
  execFileSync('git', ['clone', '--quiet', '--no-local', '--depth=1', `file://${root}`, clone]);
  const sessions = join(home, '.claude/projects', project.replaceAll(/[^A-Za-z0-9]/g, '-'));
  for (const folder of [sessions, shims, join(project, 'src'), join(home, 'go/bin')])
    mkdirSync(folder, { recursive: true });
  const session = readFileSync(join(root, 'testdata/sessions/claude-code/compacted.jsonl'), 'utf8');
  const recent = session
    .replaceAll('/home/ada/shop', project)
    .replaceAll('2026-03-02', new Date().toISOString().slice(0, 10));
  writeFileSync(join(sessions, '11111111-2222-4333-8444-555555555555.jsonl'), recent);
  for (const name of ['README.md', 'src/a.md']) writeFileSync(join(project, name), 'A page.\n');
  // An editor that installs nothing, but fails if the package is not where the page says.
  const shim = (name, lines) => {
    writeFileSync(join(shims, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(shims, name), 0o755);
  };
  shim('code', '[ "$1" != --install-extension ] || test -s "$2"');
  const editor = process.env.NVIM;
  shim(
    'nvim',
    editor ? `exec "${editor}" --headless -c 'lua assert(#require("ctx").statusline() >= 0)' -c 'qa!'` : 'exit 0',
  );
  if (existsSync(join(root, 'bin/ctx-lsp')) && !all) {
    mkdirSync(join(clone, 'bin'), { recursive: true });
    for (const to of [join(home, 'go/bin/ctx-lsp'), join(clone, 'bin/ctx-lsp')])
      copyFileSync(join(root, 'bin/ctx-lsp'), to);
  }
}

const asked = (name) => execFileSync(name[0], name.slice(1), { encoding: 'utf8' }).trim();

function environment() {
  const env = {
    PATH: [shims, join(home, 'go/bin'), process.env.PATH].join(delimiter),
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LANG: 'C.UTF-8',
  };
  env.GOMODCACHE = asked(['go', 'env', 'GOMODCACHE']);
  env.GOCACHE = asked(['go', 'env', 'GOCACHE']);
  env.GOPROXY = asked(['go', 'env', 'GOPROXY']);
  env.npm_config_cache = asked(['npm', 'config', 'get', 'cache']);
  env.npm_config_registry = asked(['npm', 'config', 'get', 'registry']);
  if (process.env.VIMRUNTIME) env.VIMRUNTIME = process.env.VIMRUNTIME;
  return env;
}

/**
 * Runs a command and resolves to its output and exit code. `top` is ended, because it runs until q, and a setup gets a
 * terminal, in which it is confirmed.
 */
function run(command, cwd, env) {
  return new Promise((resolve) => {
    const line = / --setup$/.test(command) ? `script -qec '${command}' /dev/null` : command;
    const child = spawn('bash', ['-c', line], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    const endless = /^ctx-lsp top$/.test(command);
    const timer = setTimeout(() => process.kill(-child.pid), endless ? 3000 : 1_800_000);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.stdin.on('error', () => {}); // it may have ended
    child.stdin.end('y\n');
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ output, code: endless && code === null ? 0 : code });
    });
  });
}

let passed = 0;
let failed = 0;
const report = (name, problem) => {
  if (problem === undefined) passed++;
  else failed++;
  if (problem !== undefined) console.log(`failed: ${name}: ${problem}`);
};

prepare();
const env = environment();
const pages = ['README.md', ...readdirSync(join(root, 'extensions')).map((name) => `extensions/${name}/README.md`)];
const done = new Set();
try {
  for (const { page, command, inText, marked } of pages.flatMap(commandsOf)) {
    const name = `${page}: ${command}`;
    const how = rules.find(([pattern]) => pattern.test(command))?.[1];
    if (how === undefined) report(name, 'mk/commands.mjs has no rule for it');
    else if (how === 'release')
      report(name, marked ? undefined : 'it needs a release, and the page does not say "from the first release on"');
    if (!['cheap', 'dear'].includes(how) || (how === 'dear' && !all) || done.has(command)) continue;
    done.add(command);
    const ours = /^ctx-lsp /.test(command);
    // A command that a sentence mentions must exist; one in a block is run.
    const line = ours && inText ? `ctx-lsp help ${command.split(' ')[1]}` : command;
    const began = Date.now();
    const { output, code } = await run(line, ours ? project : clone, env);
    report(name, code === 0 ? undefined : `exit code ${code}\n${output.slice(-2000)}`);
    const seconds = (Date.now() - began) / 1000;
    if (seconds >= 1) console.log(`slow: ${seconds.toFixed(1)} test-commands: ${name}`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
