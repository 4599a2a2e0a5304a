// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** The program with the sessions that the Agents window shows, as the daemon names it. */
const host = 'VS Code Agent Host';
const section = 'extensions';
const key = 'supportAgentsWindow';
const offered = 'ctx.agentsWindow.offered';

/** Returns the value of the setting in the user's settings; undefined if this editor does not have the setting. */
function allowed(): Record<string, boolean> | undefined {
  const found = vscode.workspace.getConfiguration(section).inspect<Record<string, boolean>>(key);
  return found?.defaultValue === undefined ? undefined : (found.globalValue ?? {});
}

/**
 * Asks whether the extension may run in the Agents window, where extensions with code are off unless one of the user's
 * settings names them. It shows the change first, and changes nothing else.
 */
export async function allowInAgentsWindow(id: string): Promise<void> {
  const now = allowed();
  if (now === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This editor has no Agents window.'));
    return;
  }
  if (now[id] === true) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Ctx is already allowed in the Agents window, by the setting {0}.', `${section}.${key}`),
    );
    return;
  }
  const change = vscode.l10n.t('Change the Setting');
  const value = { ...now, [id]: true };
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Allow Ctx in the Agents window?'),
    {
      modal: true,
      detail: [
        vscode.l10n.t('This changes one of your settings:'),
        `"${section}.${key}": ${JSON.stringify(value)}`,
        vscode.l10n.t('That window shows no status items and no views of extensions.'),
      ].join('\n\n'),
    },
    change,
  );
  if (chosen === change) {
    await vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Global);
  }
}

/** Offers that once, when the first session of the Agent Host appears. It never asks again, whatever the reply. */
export async function offerAgentsWindow(
  of: string,
  id: string,
  memory: vscode.Memento,
  calm: () => Promise<void>,
): Promise<void> {
  const now = allowed();
  if (of !== host || now === undefined || id in now || memory.get(offered) === true) {
    return;
  }
  await memory.update(offered, true);
  await calm();
  const show = vscode.l10n.t('Show the Setting…');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} runs a session here. Ctx can work in its Agents window too.', host),
    show,
    vscode.l10n.t('No'),
  );
  if (chosen === show) {
    await allowInAgentsWindow(id);
  }
}
