// Copyright The ctx-lsp authors. MIT licence.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders whose files are all of one kind, by the module that lists them, and the name that each file exports. */
const folders = {
  'folder:sites': { path: 'src/sites', exports: 'site' },
  'folder:shapes': { path: 'src/traffic/shapes', exports: 'read' },
};

/**
 * A plugin of esbuild that makes these modules: `all` has what each file of the folder exports, by the file's name. A
 * new file needs no line in a list.
 */
export const listed = {
  name: 'folders',
  setup(build) {
    build.onResolve({ filter: /^folder:/ }, ({ path }) => ({ path, namespace: 'folder' }));
    build.onLoad({ filter: /./, namespace: 'folder' }, async ({ path: module }) => {
      const { path, exports } = folders[module];
      const resolveDir = join(import.meta.dirname, path);
      const names = (await readdir(resolveDir)).filter((f) => f.endsWith('.ts')).sort();
      const lines = names.map((f, i) => `import { ${exports} as f${i} } from './${f}';`);
      const all = names.map((f, i) => `${JSON.stringify(f.slice(0, -3))}: f${i}`);
      return { contents: `${lines.join('\n')}\nexport const all = { ${all.join(', ')} };\n`, resolveDir };
    });
  },
};
