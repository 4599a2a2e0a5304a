// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../../api/protocol';
import type { FitsAnswer } from '../../api/types';
import { CallError } from '../backend';
import { gather, type ListFiles, type Part } from '../fit/texts';
import { asPhrases, inWords, translatedItems } from '../phrases';
import { describe, listedItems } from './words';

/** The parts of the window that models and chats get their information from. */
export interface ForModelsHost {
  call<T>(method: string, params: object): Promise<T>;
  reading(): Reading | undefined;
  /** Returns the sentence for a request when there is no session. */
  absence(): string;
  /** Returns the path of the daemon's program; undefined if there is none. */
  program(): string | undefined;
  readonly version: string;
  readonly log: vscode.LogOutputChannel;
  readonly listFiles?: ListFiles | undefined;
}

/** The parts of the editor's API that are newer than the oldest supported version. */
interface Newer {
  readonly lm?: {
    registerTool?(name: string, tool: object): vscode.Disposable;
    registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable;
  };
  readonly chat?: typeof vscode.chat;
  readonly LanguageModelToolResult?: new (parts: object[]) => object;
  readonly LanguageModelTextPart?: new (text: string) => object;
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args?: string[],
    env?: Record<string, string>,
    version?: string,
  ) => object;
}

/**
 * Registers everything that models can use: tools for agent mode, the daemon's MCP server for all agents of the editor,
 * and @ctx in the chat. Each is registered only if the editor supports it.
 */
export function forModels(host: ForModelsHost, editor = vscode.version): vscode.Disposable[] {
  const newer = vscode as unknown as Newer;
  const made: vscode.Disposable[] = [];
  for (const [name, make] of Object.entries({ tools, server: hasServers(editor) ? server : none, participant })) {
    try {
      made.push(...make(host, newer));
    } catch (error) {
      // An editor may provide a part of its API under a temporary name and refuse access to it.
      host.log.info(`This editor has no ${name} for models: ${CallError.from(error).message}`);
    }
  }
  return made;
}

function tools(host: ForModelsHost, newer: Newer): vscode.Disposable[] {
  const { LanguageModelToolResult: Result, LanguageModelTextPart: Text } = newer;
  const { lm } = newer;
  if (typeof lm?.registerTool !== 'function' || !Result || !Text) {
    return [];
  }
  const tool = <T>(answer: (input: T) => Promise<string>): object => ({
    invoke: async ({ input }: { input: T }) => new Result([new Text(await answer(input))]),
  });
  return [
    lm.registerTool(
      'ctx_window',
      tool(() => window(host)),
    ),
    lm.registerTool(
      'ctx_fits',
      tool<{ paths?: unknown }>(({ paths }) => fits(host, paths)),
    ),
  ];
}

/** Returns how full the focused session's window is, and its largest items. */
async function window(host: ForModelsHost): Promise<string> {
  const reading = host.reading();
  if (!reading) {
    return host.absence();
  }
  const items = await host
    .call<Items>('ctx/session/items', { id: reading.session, top: listedItems })
    .catch(() => undefined);
  return describe(reading, items && translatedItems(items));
}

/** Returns whether files or folders of the workspace fit into the focused session. */
async function fits(host: ForModelsHost, paths: unknown): Promise<string> {
  const reading = host.reading();
  if (!reading) {
    return host.absence();
  }
  const uris = inWorkspace(paths);
  if (uris.length === 0) {
    return vscode.l10n.t('“paths” must list files or folders relative to the workspace.');
  }
  const { parts } = await gather(uris, host.listFiles);
  const answer = await fitsIn(host, reading, parts);
  return [answer.text, ...answer.parts.slice(0, listedItems).map((p) => `- ${p.label}: ${p.tokens}`)].join('\n');
}

/** Returns the named files and folders that are in the workspace. */
function inWorkspace(paths: unknown): vscode.Uri[] {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder || !Array.isArray(paths)) {
    return [];
  }
  return paths
    .filter((p): p is string => typeof p === 'string')
    .map((p) => vscode.Uri.joinPath(folder, p))
    .filter((uri) => uri.path === folder.path || uri.path.startsWith(`${folder.path}/`));
}

const none = (): vscode.Disposable[] => [];

/** Reports whether extensions may register MCP servers. VS Code 1.100 has that function, but refuses it to others. */
function hasServers(editor: string): boolean {
  const [major = 0, minor = 0] = editor.split('.').map(Number);
  return major > 1 || minor > 100;
}

function server(host: ForModelsHost, newer: Newer): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Definition } = newer;
  if (typeof lm?.registerMcpServerDefinitionProvider !== 'function' || !Definition) {
    return [];
  }
  const provider = {
    provideMcpServerDefinitions: (): object[] => {
      const program = host.program();
      const folder = vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file');
      const args = ['mcp', ...(folder ? [`--workspace=${folder.uri.fsPath}`] : [])];
      return program === undefined || !vscode.workspace.isTrusted
        ? []
        : [new Definition('ctx-lsp', program, args, {}, host.version)];
    },
  };
  return [lm.registerMcpServerDefinitionProvider('ctx.mcp', provider)];
}

function participant(host: ForModelsHost, newer: Newer): vscode.Disposable[] {
  if (typeof newer.chat?.createChatParticipant !== 'function') {
    return [];
  }
  const participant = newer.chat.createChatParticipant('ctx.chat', async (request, _context, stream) => {
    const reading = host.reading();
    if (request.command === 'fits') {
      const uris = request.references.map((r) => r.value).filter((v): v is vscode.Uri => v instanceof vscode.Uri);
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const named = request.prompt.split(/\s+/).filter((word) => word !== '' && !word.startsWith('#'));
      stream.markdown(
        reading && uris.length > 0
          ? await fitsOf(host, reading, uris)
          : await fits(host, folder && named.length > 0 ? named : undefined),
      );
    } else {
      stream.markdown((await window(host)).replaceAll('\n', '  \n'));
    }
    if (reading) {
      stream.button({ command: 'ctx.showPanel', title: vscode.l10n.t('Details') });
    }
  });
  return [participant];
}

async function fitsOf(host: ForModelsHost, reading: Reading, uris: readonly vscode.Uri[]): Promise<string> {
  const { parts } = await gather(uris, host.listFiles);
  return (await fitsIn(host, reading, parts)).text;
}

async function fitsIn(host: ForModelsHost, reading: Reading, parts: Part[]): Promise<FitsAnswer> {
  const asked = { id: reading.session, parts, phrases: asPhrases() };
  const answer = await host.call<FitsAnswer>('ctx/session/fits', asked);
  return { ...answer, text: inWords(answer.phrase, answer.text) };
}
