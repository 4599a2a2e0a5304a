// Copyright The ctx-lsp authors. MIT licence.

import * as fs from 'node:fs/promises';
import * as path from 'node:path';

/** As much of the `vscode` module as code without an editor needs: words untranslated, events, plain values, files. */

export const l10n = {
  /** The translations, by their originals; none unless a test sets them. */
  bundle: undefined as Record<string, string> | undefined,
  t: (text: string, ...values: unknown[]): string =>
    (l10n.bundle?.[text] ?? text).replace(/\{(\d)\}/g, (hole, i: string) => String(values[Number(i)] ?? hole)),
};

/** What was put into the clipboard last. */
export const clipboard = { text: '' };

export const env = {
  language: 'en',
  clipboard: {
    writeText: (text: string): Promise<void> => {
      clipboard.text = text;
      return Promise.resolve();
    },
  },
};

export class EventEmitter<T> {
  private listeners: ((value: T) => unknown)[] = [];
  readonly event = (listener: (value: T) => unknown): { dispose(): void } => {
    this.listeners.push(listener);
    return { dispose: () => (this.listeners = this.listeners.filter((l) => l !== listener)) };
  };
  fire(value: T): void {
    for (const l of [...this.listeners]) {
      l(value);
    }
  }
  dispose(): void {
    this.listeners = [];
  }
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly path: string,
  ) {}
  static file(file: string): Uri {
    return new Uri('file', file);
  }
  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, path.posix.join(base.path, ...parts));
  }
  with({ scheme }: { scheme: string }): Uri {
    return new Uri(scheme, this.path);
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}://${this.path}`;
  }
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState = 0,
  ) {}
}

/** What models are offered. The parts that came later are filled in by the test of them. */
export const lm = {
  tools: new Map<string, { invoke(options: { input: unknown }): Promise<{ parts: { text: string }[] }> }>(),
  servers: [] as { provideMcpServerDefinitions(): { command: string; args: string[] }[] }[],
  registerTool(name: string, tool: never): { dispose(): void } {
    lm.tools.set(name, tool);
    return { dispose: () => lm.tools.delete(name) };
  },
  registerMcpServerDefinitionProvider(_id: string, provider: never): { dispose(): void } {
    lm.servers.push(provider);
    return { dispose: () => undefined };
  },
};
export class LanguageModelTextPart {
  constructor(readonly text: string) {}
}
export class LanguageModelToolResult {
  constructor(readonly parts: LanguageModelTextPart[]) {}
}
export class McpStdioServerDefinition {
  constructor(
    readonly label: string,
    readonly command: string,
    readonly args: string[],
  ) {}
}
type Handler = (request: object, context: object, stream: object) => Promise<void>;
export const chat = {
  handlers: new Map<string, Handler>(),
  createChatParticipant(id: string, handler: Handler): { dispose(): void } {
    chat.handlers.set(id, handler);
    return { dispose: () => chat.handlers.delete(id) };
  },
};

export const QuickPickItemKind = { Separator: -1, Default: 0 };

export const commands = {
  registerCommand: (): { dispose(): void } => ({ dispose: () => undefined }),
};

export const ConfigurationTarget = { Global: 1 };

export const workspace = {
  isTrusted: true,
  textDocuments: [] as unknown[],
  workspaceFolders: [] as { uri: Uri }[],
  getConfiguration: () => ({ get: () => undefined }),
  getWorkspaceFolder: (uri: Uri): { uri: Uri } | undefined =>
    workspace.workspaceFolders.find((f) => uri.path.startsWith(`${f.uri.path}/`)),
  registerTextDocumentContentProvider: (): { dispose(): void } => ({ dispose: () => undefined }),
  asRelativePath: ({ path: file }: Uri): string =>
    path.posix.relative(workspace.workspaceFolders[0]?.uri.path ?? '/', file),
  fs: {
    stat: async ({ path: file }: Uri): Promise<{ type: number; size: number }> => {
      const [link, real] = await Promise.all([fs.lstat(file), fs.stat(file)]).catch(() => {
        throw new FileSystemError(file);
      });
      const kind = real.isFile() ? FileType.File : FileType.Directory;
      return { type: kind | (link.isSymbolicLink() ? FileType.SymbolicLink : 0), size: real.size };
    },
    readFile: ({ path: file }: Uri): Promise<Uint8Array> => fs.readFile(file),
  },
};

export interface FakeTerminal {
  name: string;
  processId: Promise<number | undefined>;
  typed: [string, boolean][];
  show(): void;
  sendText(text: string, enter: boolean): void;
}

/** A warning on the screen. */
interface Warning {
  readonly text: string;
  readonly buttons: readonly string[];
  /** Presses a button, or closes the warning. */
  close(button?: string): void;
}

export const window = {
  terminals: [] as FakeTerminal[],
  /** The warnings, oldest first. */
  warnings: [] as Warning[],
  messages: [] as string[],
  /** Answers the next list to choose from; undefined is Escape. */
  choose: (items: { label: string; detail?: string }[]): { label: string } | undefined => items[0],
  asked: 0,
  /** Chooses from the buttons of the next message; undefined closes it. */
  press: (_buttons: string[]): string | undefined => undefined,
  showInformationMessage: (text: string, ...rest: (string | object)[]): Promise<string | undefined> => {
    window.messages.push(text);
    return Promise.resolve(window.press(rest.filter((button) => typeof button === 'string')));
  },
  showWarningMessage: (text: string, ...buttons: string[]): Promise<string | undefined> =>
    new Promise((close) => window.warnings.push({ text, buttons, close })),
  createQuickPick: () => {
    const accept = new EventEmitter<void>();
    const hidden = new EventEmitter<void>();
    const pick = {
      title: '',
      placeholder: '',
      matchOnDetail: false,
      items: [] as { label: string }[],
      selectedItems: [] as { label: string }[],
      onDidChangeActive: new EventEmitter<unknown[]>().event,
      onDidAccept: accept.event,
      onDidHide: hidden.event,
      hide: () => hidden.fire(),
      dispose() {},
      show: () => {
        window.asked += 1;
        const choice = window.choose(pick.items);
        pick.selectedItems = choice ? [choice] : [];
        setImmediate(() => (choice ? accept : hidden).fire());
      },
    };
    return pick;
  },
  setStatusBarMessage: (text: string): void => {
    window.messages.push(text);
  },
};

export const version = '1.91.0';
export const UIKind = { Desktop: 1, Web: 2 };
