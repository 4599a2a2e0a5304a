// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { exact } from '../words';
import { promptFileSelector } from './selector';

/** The codes of findings that are solved by removing the import. */
const superfluous = ['import-missing', 'import-repeated', 'import-circular', 'import-too-large', 'import-unreadable'];
const raiseCommand = 'ctx.raiseBudget';

/** Registers quick fixes for findings in prompt files. */
export function promptFileFixes(): vscode.Disposable[] {
  return [
    vscode.languages.registerCodeActionsProvider(
      promptFileSelector,
      { provideCodeActions: (document, _range, context) => fixes(document, context.diagnostics) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.commands.registerCommand(raiseCommand, (uri: vscode.Uri) => raise(uri)),
  ];
}

function fixes(document: vscode.TextDocument, found: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
  const actions: vscode.CodeAction[] = [];
  const add = (title: string, diagnostic: vscode.Diagnostic): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    actions.push(action);
    return action;
  };
  for (const diagnostic of found) {
    const code = typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
    if (code === 'import-missing') {
      const target = document.getText(diagnostic.range).replace(/^@/, '');
      const file = vscode.Uri.joinPath(document.uri, '..', target);
      if (target !== '' && !target.startsWith('~') && !target.startsWith('/')) {
        const action = add(vscode.l10n.t('Create {0}', target), diagnostic);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.createFile(file, { ignoreIfExists: true });
        action.isPreferred = true;
      }
    }
    if (typeof code === 'string' && superfluous.includes(code)) {
      const action = add(vscode.l10n.t('Remove this import'), diagnostic);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.delete(document.uri, withLine(document, diagnostic.range));
    }
    if (code === 'over-budget') {
      add(vscode.l10n.t('Raise the budget…'), diagnostic).command = {
        command: raiseCommand,
        title: vscode.l10n.t('Raise the budget…'),
        arguments: [document.uri],
      };
    }
  }
  return actions;
}

/** Returns the range of an import, or its whole line if there is nothing else on it. */
function withLine(document: vscode.TextDocument, range: vscode.Range): vscode.Range {
  const line = document.lineAt(range.start.line);
  const rest = line.text.slice(0, range.start.character) + line.text.slice(range.end.character);
  return /^[\s*-]*$/.test(rest) ? line.rangeIncludingLineBreak : range;
}

/** Asks for a new budget of prompt files, and stores it in the settings of the workspace. */
async function raise(uri: vscode.Uri): Promise<void> {
  const config = vscode.workspace.getConfiguration('ctx.promptFiles.budget', uri);
  const picked = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Files in every request'), key: 'always' },
      { label: vscode.l10n.t('Files loaded on demand'), key: 'loaded' },
    ].map((each) => ({
      ...each,
      description: vscode.l10n.t('{0} tokens', exact(config.get<number>(each.key) ?? 0)),
    })),
    { title: vscode.l10n.t('Choose a budget') },
  );
  if (!picked) {
    return;
  }
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t('Maximum tokens of a file; 0 for no limit'),
    value: String((config.get<number>(picked.key) ?? 0) * 2),
    validateInput: (text) => (/^\d{1,9}$/.test(text) ? undefined : vscode.l10n.t('Enter a whole number of tokens.')),
  });
  if (value !== undefined) {
    const folder = vscode.workspace.workspaceFolders !== undefined;
    await config.update(
      picked.key,
      Number(value),
      folder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
    );
  }
}
