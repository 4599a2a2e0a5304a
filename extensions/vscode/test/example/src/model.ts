// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** The parts of newer editors that are used here. */
interface Newer {
  readonly tools?: readonly { name: string }[];
  registerLanguageModelChatProvider?(vendor: string, provider: object): vscode.Disposable;
  invokeTool?(name: string, options: object): Promise<{ content: { value?: string }[] }>;
}

const lm = (vscode as unknown as { lm?: Newer }).lm ?? {};

/** A language model, without which the editor's chat opens for nobody who has not signed in. It is never asked. */
export function provideModel(): vscode.Disposable[] {
  const model = {
    id: 'example',
    name: 'Example',
    family: 'example',
    version: '1',
    maxInputTokens: 100_000,
    maxOutputTokens: 1000,
    isUserSelectable: true,
    isDefault: true,
    capabilities: { toolCalling: true },
  };
  const provided = lm.registerLanguageModelChatProvider?.('example-chat', {
    provideLanguageModelChatInformation: () => Promise.resolve([model]),
    provideLanguageModelChatResponse: () => Promise.reject(new Error('Nobody asks this model.')),
    provideTokenCount: () => Promise.resolve(1),
  });
  return provided ? [provided] : [];
}

/** Asks @ctx in the chat of the editor. */
export async function askInChat(): Promise<void> {
  await (lm as { selectChatModels?(by: object): Promise<unknown> }).selectChatModels?.({ vendor: 'example-chat' });
  await vscode.commands.executeCommand('workbench.action.chat.open', { query: '@ctx how full?', mode: 'ask' });
}

/** Starts the MCP servers that extensions offer to the editor, and answers what ours says and which tools it has. */
export async function askServer(): Promise<string> {
  await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
  const tools = (lm.tools ?? []).map((t) => t.name).filter((n) => n.startsWith('mcp_ctx-lsp_'));
  const status = tools.find((n) => n.endsWith('context_status'));
  const answer = status && (await lm.invokeTool?.(status, { input: {}, toolInvocationToken: undefined }));
  const [line] = ((answer || undefined)?.content[0]?.value ?? 'no answer').split('\n');
  return `${tools.length} tools | ${line}`;
}
