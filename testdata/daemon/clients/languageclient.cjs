// Copyright The ctx-lsp authors. MIT licence.

// vscode-languageclient, the library of VS Code extensions, outside of VS Code: what it asks of the editor is answered
// by a stand-in that keeps the documents, the providers and the diagnostics.
//   languageclient.cjs TOOLS
'use strict';
const Module = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const url = require('node:url');

const tools = process.argv[2];
const require_ = Module.createRequire(path.join(tools, 'package.json'));

function check(name, ok, why) {
  console.log(`${ok ? 'ok' : 'not ok'} languageclient: ${name}${ok ? '' : `: ${JSON.stringify(why)}`}`);
}

class Emitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = (...args) => listener.apply(self, args);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };
  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}
class Disposable {
  constructor(f) {
    this.dispose = f ?? (() => {});
  }
  static from(...all) {
    return new Disposable(() => {
      for (const d of all) d.dispose();
    });
  }
}
class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}
class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = c === undefined ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
}
class Uri {
  constructor(text) {
    const u = new URL(text);
    this.text = text;
    this.scheme = u.protocol.slice(0, -1);
    this.path = decodeURIComponent(u.pathname);
    this.fsPath = this.path;
    this.authority = u.host;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(p) {
    return new Uri(url.pathToFileURL(p).href);
  }
  toString() {
    return this.text;
  }
}
class MarkdownString {
  constructor(value = '') {
    this.value = value;
  }
  appendCodeblock(v) {
    this.value += v;
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class Hover {
  constructor(contents, range) {
    this.contents = [].concat(contents);
    this.range = range;
  }
}
class InlayHint {
  constructor(position, label, kind) {
    Object.assign(this, { position, label, kind });
  }
}
class CodeLens {
  constructor(range, command) {
    Object.assign(this, { range, command });
  }
}
class DocumentLink {
  constructor(range, target) {
    Object.assign(this, { range, target });
  }
}
class TabInputText {
  constructor(uri) {
    this.uri = uri;
  }
}
class CancellationTokenSource {
  emitter = new Emitter();
  token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

const root = Uri.file(process.cwd());
const events = new Map();
const event = (name) => {
  if (!events.has(name)) events.set(name, new Emitter());
  return events.get(name);
};
const providers = {};
const collections = [];
const commands = new Map();
const documents = [];
const channel = {
  append() {},
  appendLine() {},
  clear() {},
  show() {},
  hide() {},
  dispose() {},
  replace() {},
  info() {},
  warn() {},
  error() {},
  debug() {},
  trace() {},
};
const on = (object) =>
  new Proxy(object, {
    get: (t, k) => (k in t ? t[k] : typeof k === 'string' && /^onDid|^onWill/.test(k) ? event(k).event : undefined),
  });

const workspace = on({
  workspaceFolders: [{ uri: root, name: 'workspace', index: 0 }],
  textDocuments: documents,
  notebookDocuments: [],
  isTrusted: true,
  getConfiguration: (section) => ({
    get: (key, fallback) => (key === 'trace.server' ? 'off' : fallback),
    has: () => false,
    ...(section === 'ctx' ? { model: 'gpt-5.5' } : {}),
  }),
  createFileSystemWatcher: () => ({
    onDidCreate: new Emitter().event,
    onDidChange: new Emitter().event,
    onDidDelete: new Emitter().event,
    dispose() {},
  }),
  getWorkspaceFolder: () => ({ uri: root, name: 'workspace', index: 0 }),
  registerTextDocumentContentProvider: () => new Disposable(),
  registerFileSystemProvider: () => new Disposable(),
  fs: { isWritableFileSystem: () => true },
});
const window_ = on({
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: on({ all: [{ tabs: [], isActive: true }] }),
  createOutputChannel: () => channel,
  showErrorMessage: async (m) => console.log(`# ${m}`),
  showWarningMessage: async () => {},
  showInformationMessage: async () => {},
  withProgress: (_, task) => task({ report() {} }, new CancellationTokenSource().token),
});
const languages = new Proxy(
  {
    match: () => 10,
    createDiagnosticCollection: () => {
      const all = new Map();
      const c = {
        set: (uri, list) => all.set(String(uri), list ?? []),
        delete: (uri) => all.delete(String(uri)),
        clear: () => all.clear(),
        dispose() {},
        has: (u) => all.has(String(u)),
        all,
      };
      collections.push(c);
      return c;
    },
  },
  {
    get: (t, k) =>
      t[k] ??
      (/^register/.test(k)
        ? (_, provider) => {
            providers[k] = provider;
            return new Disposable(() => delete providers[k]);
          }
        : undefined),
  },
);
const known = {
  Disposable,
  EventEmitter: Emitter,
  Position,
  Range,
  Uri,
  MarkdownString,
  Diagnostic,
  Hover,
  InlayHint,
  CodeLens,
  DocumentLink,
  CancellationTokenSource,
  TabInputText,
  workspace,
  window: window_,
  languages,
  env: { appName: 'stand-in', language: 'en', clipboard: {} },
  version: '1.95.0',
  commands: {
    registerCommand: (name, f) => {
      commands.set(name, f);
      return new Disposable(() => commands.delete(name));
    },
    executeCommand: async (name, ...args) => commands.get(name)?.(...args),
  },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  CancellationError: class extends Error {},
  extensions: { getExtension: () => undefined, all: [] },
  tests: undefined,
  l10n: { t: (s) => s },
};
const vscode = new Proxy(known, {
  get: (t, k) => {
    if (!(k in t) && typeof k === 'string')
      t[k] = class {
        constructor(...args) {
          Object.assign(this, { args });
        }
      };
    return t[k];
  },
});
const load = Module._load;
Module._load = function (name, ...rest) {
  return name === 'vscode' ? vscode : load.call(this, name, ...rest);
};

class Document {
  version = 1;
  languageId = 'markdown';
  isDirty = false;
  isClosed = false;
  constructor(file) {
    this.uri = Uri.file(file);
    this.fileName = file;
    this.text = fs.readFileSync(file, 'utf8');
  }
  get lineCount() {
    return this.text.split('\n').length;
  }
  getText(range) {
    return range ? this.text.slice(this.offset(range.start), this.offset(range.end)) : this.text;
  }
  offset(p) {
    return (
      this.text
        .split('\n')
        .slice(0, p.line)
        .reduce((n, l) => n + l.length + 1, 0) + p.character
    );
  }
  // edit replaces a range as a person at the keyboard does.
  edit(range, text) {
    const from = this.offset(range.start),
      to = this.offset(range.end);
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.version++;
    event('onDidChangeTextDocument').fire({
      document: this,
      contentChanges: [{ range, rangeOffset: from, rangeLength: to - from, text }],
      reason: undefined,
    });
  }
}

const until = async (predicate) => {
  for (let i = 0; i < 400; i++) {
    const value = predicate();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
};

async function main() {
  const { LanguageClient, TransportKind, State } = require_('vscode-languageclient/node');
  const document = new Document(path.join(process.cwd(), 'CLAUDE.md'));
  documents.push(document);
  window_.activeTextEditor = { document };
  window_.visibleTextEditors.push(window_.activeTextEditor);
  window_.tabGroups.all[0].tabs.push({ input: new TabInputText(document.uri), isActive: true });
  const client = new LanguageClient(
    'ctx',
    'ctx',
    { command: process.env.CTX_LSP, args: ['serve'], transport: TransportKind.pipe },
    {
      documentSelector: [{ scheme: 'file', language: 'markdown' }],
      outputChannel: channel,
      traceOutputChannel: channel,
      synchronize: { configurationSection: 'ctx' },
      initializationOptions: { model: 'gpt-5.5' },
    },
  );
  const readings = [];
  client.onNotification('ctx/reading', (reading) => readings.push(reading));
  await client.start();
  check('starts over a pipe', client.state === State.Running, client.state);

  const problems = () => collections.flatMap((c) => c.all.get(String(document.uri)) ?? []);
  await until(() => problems().length > 0);
  const range = problems()[0]?.range;
  check('diagnostics', problems().length === 1 && document.getText(range) === '@docs/gone.md', problems());
  const token = new CancellationTokenSource().token;
  const hover = await providers.registerHoverProvider.provideHover(document, new Position(0, 0), token);
  check('hover', JSON.stringify(hover ?? '').includes('In every request'), hover);
  const lenses = await providers.registerCodeLensProvider.provideCodeLenses(document, token);
  check('code lens', lenses?.[0]?.command?.title.includes('6 imported'), lenses);
  const hints = await providers.registerInlayHintsProvider.provideInlayHints(document, new Range(0, 0, 99, 0), token);
  check(
    'inlay hints, that of an import behind its line',
    hints?.length === 3 && hints[1].label === '+6' && hints[1].position.line === 2 && hints[2].position.line === 4,
    hints,
  );
  const links = await providers.registerDocumentLinkProvider.provideDocumentLinks(document, token);
  check('document links', links?.length === 1 && String(links[0].target).endsWith('docs/style.md'), links);

  document.edit(range, '@docs/style.md');
  await until(() => problems().length === 1 && problems()[0].message.includes('imported already'));
  check('edits', problems().length === 1 && problems()[0].message.includes('imported already'), problems());

  const opened = await client.sendRequest('ctx/session/open', { id: 'chat', model: 'gpt-5.5' });
  check('ctx methods', opened.session === 'chat', opened);
  check('ctx/reading', await until(() => readings.some((r) => r.session === 'chat')), readings);
  await client.stop();
  check('stops', client.state === State.Stopped, client.state);
  process.exit(0);
}

main().catch((error) => {
  console.log(`not ok languageclient: ${error.stack ?? error}`);
  process.exit(0);
});
