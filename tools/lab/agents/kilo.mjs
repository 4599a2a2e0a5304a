// Copyright The ctx-lsp authors. MIT licence.

import openCode, { settings } from './opencode.mjs';

const { arch, platform } = process;

/** Kilo CLI, made from OpenCode. Its main package only chooses the program of a machine, which is a package, too. */
export default {
  ...openCode,
  id: 'kilo',
  name: 'Kilo CLI',
  main: '@kilocode/cli',
  package: `@kilocode/cli-${platform}-${arch}`,
  program: `../@kilocode/cli-${platform}-${arch}/bin/kilo`,
  sessions: '.local/share/kilo/kilo.db',
  switchesServers: true,
  workspace: { skillFolders: ['.kilo/skills'] },

  files: (lab) => ({ '.config/kilo/kilo.json': settings(lab) }),
  environment: () => ({ KILO_DISABLE_AUTOUPDATE: '1', KILO_DISABLE_MODELS_FETCH: '1' }),
};
