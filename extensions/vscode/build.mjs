// Bundles the extension: the desktop entry, the daemon's part (loaded only when a daemon was found), the web entry
// and the panel's page. `--production` minifies.
import { build } from 'esbuild';
import { existsSync } from 'node:fs';

const production = process.argv.includes('--production');
const shared = { bundle: true, minify: production, sourcemap: production ? false : 'linked', external: ['vscode'], logLevel: 'warning', target: 'es2022', legalComments: 'none' };

await Promise.all([
  build({ ...shared, entryPoints: { extension: 'src/extension.ts' }, outdir: 'dist', platform: 'node', format: 'cjs', external: ['vscode', './daemon.js'] }),
  build({ ...shared, entryPoints: { daemon: 'src/daemon/daemon.ts' }, outdir: 'dist', platform: 'node', format: 'cjs', mainFields: ['module', 'main'] }),
  build({ ...shared, entryPoints: { web: 'src/web.ts' }, outdir: 'dist', platform: 'browser', format: 'cjs' }),
  ...(existsSync('src/panel/view/main.ts') ? [build({ ...shared, entryPoints: { panel: 'src/panel/view/main.ts' }, outdir: 'dist', platform: 'browser', format: 'iife', external: [] })] : []),
]);
