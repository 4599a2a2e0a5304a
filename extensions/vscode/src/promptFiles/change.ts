// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { exact } from '../words';
import { isAlways, isPromptFile, type WeightsHost, weigh } from './weights';

/** The part of the editor's own Git extension that is used here. It has no API while it is switched off. */
interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): Git;
}

interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly state: {
    readonly workingTreeChanges: readonly { readonly uri: vscode.Uri }[];
    readonly indexChanges: readonly { readonly uri: vscode.Uri }[];
    readonly untrackedChanges?: readonly { readonly uri: vscode.Uri }[];
    readonly onDidChange: vscode.Event<void>;
  };
  show(ref: string, path: string): Promise<string>;
}

/** How long changes must pause before they are counted. */
const pauseMs = 1000;
/** How many changed prompt files are counted. */
const mostFiles = 20;

/**
 * Shows in the status bar how many tokens the uncommitted changes of prompt files add to every request. It is hidden
 * while there are none, and if the editor's Git extension is not running.
 */
export class PromptFileChange implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('ctx.change', vscode.StatusBarAlignment.Left, 9_999);
  private readonly subscriptions: vscode.Disposable[] = [this.item];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private git: Git | undefined;
  private listening = false;

  constructor(private readonly host: WeightsHost) {
    this.item.name = vscode.l10n.t('Prompt files: change');
    this.item.command = 'workbench.view.scm';
  }

  /**
   * Starts following the repositories once a backend can count. The editor starts its Git extension itself, perhaps
   * later than this one.
   */
  async attend(): Promise<void> {
    if (!this.git) {
      const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
      const exported = await Promise.resolve(extension?.activate()).catch(() => undefined);
      if (exported && !this.listening) {
        this.listening = true;
        this.subscriptions.push(exported.onDidChangeEnablement(() => void this.attend()));
      }
      const git = exported?.enabled ? exported.getAPI(1) : undefined;
      if (!git || this.git) {
        return;
      }
      this.git = git;
      for (const repository of this.git.repositories) {
        this.follow(repository);
      }
      this.subscriptions.push(this.git.onDidOpenRepository((repository) => this.follow(repository)));
    }
    this.soon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const s of this.subscriptions) {
      s.dispose();
    }
  }

  private follow(repository: Repository): void {
    this.subscriptions.push(repository.state.onDidChange(() => this.soon()));
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), pauseMs);
  }

  private async update(): Promise<void> {
    let added = 0;
    const names: string[] = [];
    for (const repository of this.git?.repositories ?? []) {
      for (const uri of changed(repository)) {
        const [before, after] = await Promise.all([repository.show('HEAD', uri.fsPath).catch(() => ''), textOf(uri)]);
        const [was, is] = (await weigh(this.host, uri, [before, after])) ?? [];
        if (was !== undefined && is !== undefined && was !== is) {
          added += is - was;
          names.push(`${vscode.workspace.asRelativePath(uri)}: ${signed(is - was)}`);
        }
      }
    }
    if (names.length === 0) {
      this.item.hide();
      return;
    }
    this.item.text = `$(git-commit) ${vscode.l10n.t('{0} tokens in every request', signed(added))}`;
    this.item.tooltip = [
      added < 0
        ? vscode.l10n.t('The changes to prompt files remove {0} tokens from every request.', exact(-added))
        : vscode.l10n.t('The changes to prompt files add {0} tokens to every request.', exact(added)),
      ...names,
    ].join('\n');
    this.item.show();
  }
}

/** Returns the prompt files in every request that have uncommitted changes. */
function changed({ state }: Repository): vscode.Uri[] {
  const all = [...state.workingTreeChanges, ...state.indexChanges, ...(state.untrackedChanges ?? [])];
  const byName = new Map(all.map(({ uri }) => [uri.toString(), uri]));
  return [...byName.values()].filter((uri) => isPromptFile(uri) && isAlways(uri)).slice(0, mostFiles);
}

async function textOf(uri: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (b) => b,
    () => new Uint8Array(),
  );
  return new TextDecoder().decode(bytes);
}

function signed(n: number): string {
  return `${n > 0 ? '+' : '−'}${exact(Math.abs(n))}`;
}
