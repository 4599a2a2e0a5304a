// Copyright The ctx-lsp authors. MIT licence.

// Formats the plugin's Lua, or with --check says which files are not formatted. stylua comes as a package whose
// WebAssembly needs no download of its own; the folder it is installed in is the first argument.
//
//   node scripts/stylua.mjs NODE_MODULES [--check]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, mode] = process.argv.slice(2);
const require = createRequire(join(modules, '/'));
const {
  formatCode,
  Config,
  IndentType,
  LineEndings,
  QuoteStyle,
  CallParenType,
  LuaVersion,
  OutputVerification,
} = require('@johnnymorganz/stylua');

const root = fileURLToPath(new URL('..', import.meta.url));

// The settings are in .stylua.toml, where editors find them too.
const settings = Object.fromEntries(
  [...readFileSync(join(root, '.stylua.toml'), 'utf8').matchAll(/^(\w+)\s*=\s*"?([^"\n]+)"?/gm)].map((m) => [
    m[1],
    m[2],
  ]),
);

// formatCode takes its configuration over, so every file gets one of its own.
function config() {
  const config = Config.new();
  config.column_width = Number(settings.column_width);
  config.indent_type = IndentType[settings.indent_type];
  config.indent_width = Number(settings.indent_width);
  config.line_endings = LineEndings[settings.line_endings];
  config.quote_style = QuoteStyle[settings.quote_style];
  config.call_parentheses = CallParenType[settings.call_parentheses];
  config.syntax = LuaVersion[settings.syntax];
  return config;
}

// The two files at the root of the repository are the plugin's as well.
const folders = [root, join(root, '../../plugin'), join(root, '../../lua')];
const entries = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }));

let wrong = 0;
for (const entry of entries) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || !path.endsWith('.lua') || path.includes('node_modules')) continue;
  const before = readFileSync(path, 'utf8');
  const after = formatCode(before, config(), undefined, OutputVerification.Full);
  if (before === after) continue;
  if (mode === '--check') {
    wrong++;
    console.error(`${relative(root, path)} is not formatted`);
  } else {
    writeFileSync(path, after);
  }
}
process.exit(wrong ? 1 : 0);
