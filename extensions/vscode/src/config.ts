// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** The formats that `ctx.statusItem.format` offers. */
export const formats = [
  'usedAndLeft',
  'windowUsed',
  'windowLeft',
  'compactionUsed',
  'compactionLeft',
  'tokens',
  'bar',
  'custom',
] as const;
export type Format = (typeof formats)[number];

/** The settings, checked: a value of the wrong type is replaced by its default and named in `problems`. */
export interface Config {
  readonly statusItem: {
    readonly enabled: boolean;
    readonly format: Format;
    readonly template: string;
    readonly clickAction: 'pickSession' | 'showPanel' | 'showView';
  };
  readonly followFocus: boolean;
  /** hybrid: each session's own mode, for the next request; provider: only the last measured prompt. */
  readonly mode: 'hybrid' | 'provider';
  /** Whether sessions are shown with the titles that their agents gave them. */
  readonly titles: boolean;
  readonly notifications: { readonly soon: boolean; readonly now: boolean; readonly over: boolean };
  /** The agents that the daemon may read: ids, or `all`. */
  readonly agents: readonly string[];
  readonly server: {
    readonly enabled: boolean;
    readonly path: string | undefined;
    readonly engine: 'auto' | 'wasm' | 'native';
    readonly extraEnv: Readonly<Record<string, string>>;
  };
  /** One sentence for each setting that was ignored. */
  readonly problems: readonly string[];
}

/** The settings for prompt files in one folder, for the daemon and the providers in this extension. */
export interface PromptFileConfig {
  readonly codeLens: boolean;
  readonly inlayHints: boolean;
  readonly hover: boolean;
  readonly diagnostics: boolean;
  readonly budget: { readonly always: number; readonly loaded: number };
  readonly model: string;
  readonly agent: string;
}

/** Reads one value at a time, and adds a sentence to `problems` if it is invalid. */
export class SettingReader {
  readonly problems: string[] = [];

  constructor(private readonly get: (key: string) => unknown) {}

  boolean(key: string, fallback: boolean): boolean {
    return this.checked(key, fallback, vscode.l10n.t('true or false'), (v): v is boolean => typeof v === 'boolean');
  }

  oneOf<T extends string>(key: string, allowed: readonly T[], fallback: T): T {
    return this.checked(key, fallback, vscode.l10n.t('one of {0}', allowed.join(', ')), (v): v is T =>
      (allowed as readonly unknown[]).includes(v),
    );
  }

  text(key: string, fallback: string, limit: number): string {
    return this.checked(
      key,
      fallback,
      vscode.l10n.t('a string of at most {0} characters', limit),
      (v): v is string => typeof v === 'string' && v.length <= limit,
    );
  }

  path(key: string): string | undefined {
    const v = this.checked<string | null>(
      key,
      null,
      vscode.l10n.t('a path or null'),
      (x): x is string | null => x === null || typeof x === 'string',
    );
    return v === null || v.trim() === '' ? undefined : v.trim();
  }

  tokens(key: string, fallback: number): number {
    return this.checked(
      key,
      fallback,
      vscode.l10n.t('a number of tokens'),
      (v): v is number => Number.isSafeInteger(v) && (v as number) >= 0,
    );
  }

  texts(key: string): Record<string, string> {
    return this.checked<Record<string, string>>(
      key,
      {},
      vscode.l10n.t('an object of strings'),
      (v): v is Record<string, string> => {
        return (
          typeof v === 'object' &&
          v !== null &&
          !Array.isArray(v) &&
          Object.values(v).every((x) => typeof x === 'string')
        );
      },
    );
  }

  /** Reads a list of words; an invalid value is replaced by an empty list, which allows nothing. */
  words(key: string, unset: string[]): string[] {
    const words = (v: unknown): v is string[] =>
      Array.isArray(v) && v.every((x) => typeof x === 'string' && /^[a-z0-9-]*$/.test(x));
    return this.get(key) === undefined ? unset : this.checked<string[]>(key, [], 'a list of ids of agents', words);
  }

  private checked<T>(key: string, fallback: T, wanted: string, accepts: (v: unknown) => v is T): T {
    const value = this.get(key);
    if (value === undefined || accepts(value)) {
      return value === undefined ? fallback : value;
    }
    this.problems.push(
      vscode.l10n.t(
        'The setting {0} is {1} but must be {2}; {3} is used.',
        `ctx.${key}`,
        shown(value),
        wanted,
        shown(fallback),
      ),
    );
    return fallback;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Converts raw values to a {@link Config}. */
export function parseConfig(get: (key: string) => unknown): Config {
  const r = new SettingReader(get);
  return {
    statusItem: {
      enabled: r.boolean('statusItem.enabled', true),
      format: r.oneOf('statusItem.format', formats, 'usedAndLeft'),
      template: r.text('statusItem.template', '{mark}{percent} · {left} left', 200),
      clickAction: r.oneOf('statusItem.clickAction', ['pickSession', 'showPanel', 'showView'], 'pickSession'),
    },
    followFocus: r.boolean('followFocus', true),
    mode: r.oneOf('mode', ['hybrid', 'provider'], 'hybrid'),
    titles: r.boolean('titles', true),
    notifications: {
      soon: r.boolean('notifications.soon', true),
      now: r.boolean('notifications.now', true),
      over: r.boolean('notifications.over', true),
    },
    agents: r.words('agents', ['all']),
    server: {
      enabled: r.boolean('server.enabled', true),
      path: r.path('server.path'),
      engine: r.oneOf('server.engine', ['auto', 'wasm', 'native'], 'auto'),
      extraEnv: r.texts('server.extraEnv'),
    },
    problems: r.problems,
  };
}

/** Reads the settings of this window. No other file reads settings. */
export function readConfig(): Config {
  const all = vscode.workspace.getConfiguration('ctx');
  return parseConfig((key) => all.get(key));
}

/** Reads the settings for prompt files that apply to one resource. */
export function readPromptFileConfig(resource: vscode.Uri): PromptFileConfig {
  const all = vscode.workspace.getConfiguration('ctx', resource);
  return parsePromptFileConfig((key) => all.get(key));
}

/** Converts raw values to a {@link PromptFileConfig}. */
export function parsePromptFileConfig(get: (key: string) => unknown): PromptFileConfig {
  const r = new SettingReader(get);
  return {
    codeLens: r.boolean('promptFiles.codeLens', true),
    inlayHints: r.boolean('promptFiles.inlayHints', true),
    hover: r.boolean('promptFiles.hover', true),
    diagnostics: r.boolean('promptFiles.diagnostics', true),
    budget: {
      always: r.tokens('promptFiles.budget.always', 10_000),
      loaded: r.tokens('promptFiles.budget.loaded', 25_000),
    },
    model: r.text('model', '', 200),
    agent: r.text('agent', '', 100),
  };
}
