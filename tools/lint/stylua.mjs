// Copyright The ctx-lsp authors. MIT licence.

// Formats Lua, or with --check lists the files that are not formatted. The npm package of stylua contains it as
// WebAssembly, so nothing else has to be downloaded.
//
//     node tools/lint/stylua.mjs [--check] FILE...
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { CallParenType, Config, formatCode, IndentType, LineEndings, LuaVersion, OutputVerification, QuoteStyle } =
  createRequire(import.meta.url)('@johnnymorganz/stylua');

// The settings are in .stylua.toml, where editors find them too.
const toml = readFileSync(new URL('../../.stylua.toml', import.meta.url), 'utf8');
const settings = Object.fromEntries([...toml.matchAll(/^(\w+)\s*=\s*"?([^"\n]+)"?/gm)].map((m) => [m[1], m[2]]));

// formatCode consumes its configuration, so every file gets a new one.
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

const check = process.argv[2] === '--check';
let wrong = 0;
for (const file of process.argv.slice(check ? 3 : 2)) {
  const before = readFileSync(file, 'utf8');
  const after = formatCode(before, config(), undefined, OutputVerification.Full);
  if (before === after) continue;
  if (check) {
    wrong++;
    console.error(`${file} is not formatted; make format does it`);
  } else {
    writeFileSync(file, after);
  }
}
process.exit(wrong ? 1 : 0);
