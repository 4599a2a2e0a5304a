// Copyright The ctx-lsp authors. MIT licence.

// Makes the npm package with the types of the extension's API: `node types.mjs [FOLDER]`, by default out/types. What it
// makes is what `npm pack` and `npm publish` take; nothing in it runs.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const out = process.argv[2] ?? 'out/types';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const file of ['ctx-lsp.d.ts', 'protocol.d.ts']) {
  copyFileSync(path.join('api', file), path.join(out, file));
}
copyFileSync('../../wasm/js/types.d.ts', path.join(out, 'types.d.ts'));
copyFileSync('LICENSE', path.join(out, 'LICENSE'));
writeFileSync(
  path.join(out, 'README.md'),
  `# @ctx-lsp/vscode

The types of the API of the VS Code extension ctx-lsp, which shows how full a model's context window is.

\`\`\`ts
import type { CtxApi } from '@ctx-lsp/vscode';

const api = await vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp')?.activate();
const session = await api?.open({ model: 'gpt-5.5', label: 'My chat' });
\`\`\`

Whether an extension depends on ctx-lsp (\`extensionDependencies\`) or uses it where it is installed, as above, is its
author's choice. Every member is documented in \`ctx-lsp.d.ts\`.
`,
);
writeFileSync(
  path.join(out, 'package.json'),
  `${JSON.stringify(
    {
      name: '@ctx-lsp/vscode',
      version: manifest.version,
      description: 'Types of the API of the VS Code extension ctx-lsp, the context window meter',
      license: manifest.license,
      repository: manifest.repository,
      types: './ctx-lsp.d.ts',
      exports: { '.': { types: './ctx-lsp.d.ts' } },
      files: ['*.d.ts'],
      peerDependencies: { '@types/vscode': '>=1.91.0' },
    },
    null,
    2,
  )}\n`,
);
console.log(out);
