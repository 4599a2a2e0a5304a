// Copyright The ctx-lsp authors. MIT licence.

import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  type LanguageClientOptions,
  MessageType,
  type Middleware,
  RevealOutputChannelOn,
  type ShowMessageParams,
  State,
} from 'vscode-languageclient';
import { LanguageClient, type ServerOptions } from 'vscode-languageclient/node';
import type { OfferParams, Phrase, Reading } from '../../api/protocol';
import {
  type Backend,
  type BackendEvent,
  CallError,
  type FocusedReading,
  type Found,
  type LevelCrossed,
} from '../backend';
import { readPromptFileConfig } from '../config';
import { asPhrases, inWords, translateAnswer } from '../phrases';
import { breakdownCommand, showBreakdown } from '../promptFiles/breakdown';
import { daemonSelector } from '../promptFiles/selector';
import { clientLog } from './clientLog';

/** The options sent to the daemon at the start, in addition to the protocol's. */
export interface StartOptions {
  /** The directory where this editor stores the files of other extensions, which the daemon's list of editors lacks. */
  readonly globalStorage: readonly string[];
  /** Whether texts about prompt files come with their phrases, which are translated here. */
  readonly promptFiles: { readonly phrases: boolean };
}

export interface DaemonOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly log: vscode.LogOutputChannel;
  readonly initializationOptions: StartOptions;
  /** How long the first response may take. */
  readonly startTimeoutMs: number;
  /** How long a later response may take before the daemon is considered silent. */
  readonly callTimeoutMs: number;
}

/**
 * The daemon as a {@link Backend}: one process, connected through vscode-languageclient, which also shows the daemon's
 * code lenses, inlay hints, hovers and diagnostics in the editor. It never restarts itself; the supervisor starts a new
 * one.
 */
export class Daemon implements Backend {
  readonly kind = 'daemon';
  readonly version: string;
  readonly program: string;
  private readonly events = new vscode.EventEmitter<BackendEvent>();
  private readonly ended = new vscode.EventEmitter<CallError>();
  readonly onEvent = this.events.event;
  readonly onEnded = this.ended.event;
  private over = false;

  private constructor(
    private readonly client: LanguageClient,
    private readonly options: DaemonOptions,
  ) {
    this.version = options.version;
    this.program = options.file;
  }

  /** Starts the process and initializes it. Rejects with an error message if that fails or takes too long. */
  static async start(options: DaemonOptions): Promise<Daemon> {
    const run: ServerOptions = {
      command: options.file,
      args: [...options.args],
      options: { env: options.env },
    };
    let daemon: Daemon | undefined;
    const clientOptions: LanguageClientOptions = {
      documentSelector: daemonSelector,
      outputChannel: clientLog(options.log, () => daemon?.over ?? false),
      traceOutputChannel: options.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      progressOnInitialization: false,
      initializationOptions: options.initializationOptions,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          daemon?.finish(stopped(vscode.l10n.t('The daemon ended unexpectedly.')));
          return {
            action: CloseAction.DoNotRestart,
            handled: true,
            message: 'The connection to the daemon is closed.',
          };
        },
      },
      middleware: switches,
    };
    const client = new LanguageClient('ctx', 'ctx-lsp', run, clientOptions);
    daemon = new Daemon(client, options);
    client.onNotification('ctx/reading', (reading: Reading) => daemon?.events.fire({ type: 'reading', reading }));
    client.onNotification('ctx/focused', ({ reading }: { reading: FocusedReading | null }) =>
      daemon?.events.fire({ type: 'focused', reading }),
    );
    client.onNotification('ctx/level', (crossed: LevelCrossed) => daemon?.events.fire({ type: 'level', ...crossed }));
    client.onNotification('ctx/offer', (offer: OfferParams) => daemon?.events.fire({ type: 'offer', offer }));
    client.onNotification('ctx/searched', () => daemon?.events.fire({ type: 'searched' }));
    client.onNotification('ctx/closed', ({ session }: { session: string }) =>
      daemon?.events.fire({ type: 'closed', session }),
    );
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = {
          ...(capabilities.experimental as object | undefined),
          serverStatusNotification: true,
        };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    client.onNotification('experimental/serverStatus', ({ health, message }: { health: string; message?: string }) => {
      daemon?.events.fire({
        type: 'health',
        complaint: health === 'error' ? (message ?? vscode.l10n.t('The daemon reports an error.')) : undefined,
      });
    });
    client.onDidChangeState((change) => {
      if (change.newState === State.Stopped && change.oldState === State.Running) {
        daemon?.finish(stopped(vscode.l10n.t('The connection to the daemon was closed.')));
      }
    });
    try {
      await withTimeout(client.start(), options.startTimeoutMs, 'silent', late('“initialize”', options.startTimeoutMs));
    } catch (error) {
      daemon.over = true;
      void stopQuietly(client);
      throw error;
    }
    // Registered after the start, so that it replaces the handler of the language client, which shows the English text.
    client.onNotification('window/showMessage', showMessage);
    return daemon;
  }

  async call<T>(method: string, params: object): Promise<T> {
    if (this.over) {
      throw stopped(vscode.l10n.t('The daemon is not running.'));
    }
    try {
      const { callTimeoutMs } = this.options;
      const sentence = late(method, callTimeoutMs);
      return await withTimeout(this.client.sendRequest<T>(method, params), callTimeoutMs, 'silent', sentence);
    } catch (error) {
      const failure = this.judged(error);
      if (failure.kind === 'silent') {
        // It is unknown whether the call was applied, so the daemon is restarted.
        this.finish(failure);
        void stopQuietly(this.client);
      }
      throw failure;
    }
  }

  found(folder: string | undefined): Promise<Found> {
    const { file, env } = this.options;
    return new Promise((resolve, reject) => {
      const options = {
        env,
        timeout: 60_000,
        maxBuffer: 16 << 20,
        windowsHide: true,
        ...(folder ? { cwd: folder } : {}),
      };
      const { globalStorage } = this.options.initializationOptions;
      const storages = globalStorage.flatMap((folder) => ['--storage', folder]);
      execFile(file, ['doctor', '--json', ...storages], options, (error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as Found);
        } catch {
          reject(new Error(stderr.trim() || error?.message || `${file} did not return JSON for “doctor --json”.`));
        }
      });
    });
  }

  /**
   * Distinguishes an error of the connection, which a new daemon may not have, from one that the daemon has returned.
   */
  private judged(error: unknown): CallError {
    const failure = CallError.from(error);
    const lost = this.over || !this.client.isRunning() || connectionErrors.includes(failure.code);
    return lost && failure.kind !== 'silent'
      ? stopped(vscode.l10n.t('The daemon ended before it responded.'), failure.code)
      : failure;
  }

  dispose(): void {
    this.over = true;
    this.events.dispose();
    this.ended.dispose();
    void stopQuietly(this.client);
  }

  private finish(reason: CallError): void {
    if (!this.over) {
      this.over = true;
      this.ended.fire(reason);
    }
  }
}

/** Returns the error for a call without a running daemon. */
function stopped(sentence: string, code = -32603): CallError {
  return new CallError(sentence, code, 'stopped', undefined);
}

/** Returns the error message for a call without a timely response. */
function late(method: string, ms: number): string {
  return vscode.l10n.t('The daemon did not respond to {0} within {1} ms.', method, ms);
}

/** Shows a message of the daemon in the user's language. */
function showMessage({ type, message, phrase }: ShowMessageParams & { phrase?: Phrase }): void {
  const text = inWords(phrase, message);
  if (type === MessageType.Error) {
    void vscode.window.showErrorMessage(text);
  } else if (type === MessageType.Warning) {
    void vscode.window.showWarningMessage(text);
  } else {
    void vscode.window.showInformationMessage(text);
  }
}

/** The error codes of requests that were running or sent when the connection was lost. */
const connectionErrors = [-32099, -32097, -32096];

/** Applies the settings that switch off a feature: no request is sent for a feature that is off. */
const switches: Middleware = {
  handleWorkDoneProgress: (token, params, next) => {
    const { titlePhrase, messagePhrase } = params as { titlePhrase?: Phrase; messagePhrase?: Phrase };
    if (params.kind === 'begin') {
      params.title = inWords(titlePhrase, params.title);
    }
    if (params.message !== undefined) {
      params.message = inWords(messagePhrase, params.message);
    }
    next(token, params);
  },
  executeCommand: async (command, args, next) => {
    const answer: unknown = await next(command, args);
    if (command === breakdownCommand && typeof args[0] === 'string') {
      await showBreakdown(args[0]);
    }
    return breakdownIn(answer);
  },
  provideCodeLenses: async (document, token, next) =>
    readPromptFileConfig(document.uri).codeLens ? await next(document, token) : [],
  provideInlayHints: async (document, range, token, next) =>
    readPromptFileConfig(document.uri).inlayHints ? await next(document, range, token) : [],
  provideHover: async (document, position, token, next) =>
    readPromptFileConfig(document.uri).hover ? await next(document, position, token) : null,
  // The daemon sends diagnostics to clients that do not request them; newer ones request them.
  handleDiagnostics: (uri, diagnostics, next) => {
    next(uri, readPromptFileConfig(uri).diagnostics ? diagnostics : []);
  },
  // Replies are translated on arrival, because the editor's objects cannot contain a phrase.
  sendRequest: async (type, param, token, next) => {
    const answer = await next(type, param, token);
    if (asPhrases()) {
      translateAnswer(answer);
    }
    return answer;
  },
};

/** Returns the breakdown of a prompt file in the language of the editor. */
function breakdownIn(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('text' in answer) || !('phrase' in answer)) {
    return answer;
  }
  return inWords(answer.phrase as Phrase, String(answer.text));
}

async function stopQuietly(client: LanguageClient): Promise<void> {
  try {
    await client.dispose(2000);
  } catch {
    // A process that has ended or never started cannot be asked to stop.
  }
}

/** Rejects with a {@link CallError} of the given kind if the response takes longer than allowed. */
function withTimeout<T>(answer: Promise<T>, ms: number, kind: string, sentence: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new CallError(sentence, -32603, kind, undefined)), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
