// Copyright The ctx-lsp authors. MIT licence.

/** As much of the `vscode` module as code without an editor needs: words untranslated, events, plain values. */

export const l10n = {
  t: (text: string, ...values: unknown[]): string =>
    text.replace(/\{(\d)\}/g, (_, i: string) => String(values[Number(i)])),
};

export const env = { language: 'en' };

export class EventEmitter<T> {
  private listeners: ((value: T) => unknown)[] = [];
  readonly event = (listener: (value: T) => unknown): { dispose(): void } => {
    this.listeners.push(listener);
    return { dispose: () => (this.listeners = this.listeners.filter((l) => l !== listener)) };
  };
  fire(value: T): void {
    [...this.listeners].forEach((l) => l(value));
  }
  dispose(): void {
    this.listeners = [];
  }
}

export const workspace = { getConfiguration: () => ({ get: () => undefined }) };

export const window = { terminals: [] };
