// Copyright The ctx-lsp authors. MIT licence.

// Runs after npm has installed this package. It puts the program itself in the place of bin/ctx-lsp, which is a script
// that looks for it, so that `ctx-lsp` starts without Node: a status line is asked for many times a minute. Without
// install scripts the script stays, and works. When the package of this platform was left out, npm is asked for it.
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { fetched, find, inPackage, missing, name } = require('./find.js');

const { version, programs } = require('./package.json');
const command = join(__dirname, 'bin/ctx-lsp');

/** Says whether the file is the program that this version was published with. */
function check(file) {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sum !== programs[`${name}/${inPackage}`]) {
    throw new Error(`${file} is not the program that ctx-lsp ${version} was published with`);
  }
}

/** Installs the package of this platform with npm, in its own folder, from the user's registry. */
function fetchPackage() {
  const folder = join(__dirname, 'fetching');
  mkdirSync(folder);
  try {
    writeFileSync(join(folder, 'package.json'), '{}');
    // Inside a global installation this one must not be global, because it would wait for the other for ever.
    const env = {
      ...process.env,
      npm_config_global: undefined,
      npm_config_omit: undefined,
      npm_config_optional: undefined,
    };
    const flags = [
      '--loglevel=error',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--ignore-scripts',
    ];
    const windows = process.platform === 'win32'; // where npm is a script, which only a shell starts
    execFileSync('npm', ['install', ...flags, `${name}@${version}`], {
      cwd: folder,
      env,
      stdio: 'pipe',
      shell: windows,
    });
    const file = join(folder, 'node_modules', name, inPackage);
    check(file);
    renameSync(file, fetched);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the program in the script's place. Windows needs the name ctx-lsp.exe, and Yarn shares folders of packages. */
function replaceScript(program) {
  if (process.platform === 'win32' || /\byarn\//.test(process.env.npm_config_user_agent ?? '')) return;
  const beside = `${command}.new`;
  try {
    rmSync(beside, { force: true });
    linkSync(program, beside);
    renameSync(beside, command);
    rmSync(beside, { force: true }); // rename does nothing where both are one file already
  } catch {
    // The script finds the program as well, and a file system without links is no reason to fail.
  }
}

if (!programs) process.exit(0); // in the repository, where nothing is published
let program = find();
if (!program) {
  console.error(`ctx-lsp: ${name} is not here; npm is asked for it by itself.`);
  try {
    fetchPackage();
  } catch (error) {
    console.error(`ctx-lsp: ${missing()} (${String(error.message).split('\n')[0]}).`);
    process.exit(1);
  }
  program = fetched;
}
check(program);
replaceScript(program);
