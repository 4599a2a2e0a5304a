// Copyright The ctx-lsp authors. MIT licence.

// Finds the program. It lies in the package of this platform, which npm installs as an optional dependency of this one,
// or beside this file, where install.js puts it when that package was left out.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const file = process.platform === 'win32' ? 'ctx-lsp.exe' : 'ctx-lsp';

/** The name of the package of this platform, and the program's place in it. */
exports.name = `@ctx-lsp/cli-${process.platform}-${process.arch}`;
exports.inPackage = `bin/${file}`;

/** Where install.js puts a program that it had to fetch by itself. */
exports.fetched = join(__dirname, `fetched-${file}`);

/** The path of the program, or undefined. */
exports.find = () => {
  try {
    return require.resolve(`${exports.name}/${exports.inPackage}`);
  } catch {
    return existsSync(exports.fetched) ? exports.fetched : undefined;
  }
};

/** Why there is no program here, in a sentence that says what to do. */
exports.missing = () => {
  const { programs = {} } = require('./package.json');
  const known = Object.keys(programs).map((path) => path.split('/').slice(0, 2).join('/'));
  if (!known.includes(exports.name)) {
    return `there is no program of ctx-lsp for ${process.platform}-${process.arch} on npm; \`go install github.com/ctx-lsp/ctx-lsp/cmd/ctx-lsp@latest\` builds one`;
  }
  return `the package ${exports.name} is missing, because optional dependencies were left out or node_modules came from another system; install ctx-lsp again on this one, without --omit=optional`;
};
