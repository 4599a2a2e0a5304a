// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { ways } from './absence';

const repository = 'https://github.com/ctx-lsp/ctx-lsp';

/**
 * Returns the commands that install or choose a daemon, or turn it off. Each does one thing, and only when it is
 * called.
 */
export function setupCommands(target: string | undefined): Record<string, () => unknown> {
  const set = (key: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('ctx').update(key, value, vscode.ConfigurationTarget.Global);
  return {
    [ways.install]: () => installPackage(target),
    [ways.chooseFile]: async () => {
      const [file] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t('The ctx-lsp program'),
          openLabel: vscode.l10n.t('Use This Program'),
          canSelectMany: false,
        })) ?? [];
      if (file?.scheme === 'file') {
        await set('server.path', file.fsPath);
      }
    },
    [ways.promptFilesOnly]: () => set('server.enabled', false),
    [ways.follow]: () => set('server.enabled', undefined),
    [ways.readme]: () =>
      vscode.env.openExternal(vscode.Uri.parse(`${repository}/tree/main/extensions/vscode#where-it-runs`)),
  };
}

/** Shows which package contains the daemon for this platform, and offers to open its page or to install its file. */
async function installPackage(target: string | undefined): Promise<void> {
  const open = vscode.l10n.t('Open the Releases Page');
  const install = vscode.l10n.t('Install from a VSIX File…');
  const name = target === undefined ? 'ctx-lsp' : `ctx-lsp-${target}.vsix`;
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The package {0} contains the daemon for this platform. Download it from {1}, then install the file.',
      name,
      `${repository}/releases`,
    ),
    { modal: true },
    open,
    install,
  );
  if (choice === open) {
    await vscode.env.openExternal(vscode.Uri.parse(`${repository}/releases/latest`));
  } else if (choice === install) {
    await vscode.commands.executeCommand('workbench.extensions.action.installVSIX');
  }
}
