// Copyright The ctx-lsp authors. MIT licence.

import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { installInto, nodeOfEditor } from './installed';
import { openPage, portOf } from './page';
import { ahead, refuseUnmoved } from './recorded';
import { endGroup, must, orEnd, until, Workbench } from './workbench';

export interface EditorOptions {
  /** The packed extension; absent in the negative control. */
  vsix?: string | undefined;
  /** Further extensions, packed. */
  extraVsix?: string[];
  settings?: Record<string, unknown>;
  env?: NodeJS.ProcessEnv;
  trust?: boolean;
  /** Files of the workspace, by their path in it. */
  files?: Record<string, string>;
}

/** One code-server with its own home, workspace and extensions directory, and a browser that shows it. */
export class Editor extends Workbench {
  private constructor(
    readonly root: string,
    readonly home: string,
    readonly workspace: string,
    page: Page,
    browser: Browser,
    private readonly server: ChildProcess,
    private readonly port: number,
  ) {
    super(page, browser);
  }

  static async open(options: EditorOptions): Promise<Editor> {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-vscode-')));
    const dirs = {
      home: path.join(root, 'home'),
      workspace: path.join(root, 'workspace'),
      data: path.join(root, 'data'),
      extensions: path.join(root, 'extensions'),
    };
    const machine = path.join(dirs.data, 'Machine'); // the editor watches it, if it is there
    for (const d of [...Object.values(dirs), machine]) {
      fs.mkdirSync(d, { recursive: true });
    }
    fs.writeFileSync(path.join(machine, 'settings.json'), '{}');
    for (const [name, text] of Object.entries(options.files ?? {})) {
      fs.mkdirSync(path.dirname(path.join(dirs.workspace, name)), { recursive: true });
      fs.writeFileSync(path.join(dirs.workspace, name), text);
    }
    const userSettings = path.join(dirs.data, 'User');
    fs.mkdirSync(userSettings, { recursive: true });
    fs.writeFileSync(
      path.join(userSettings, 'settings.json'),
      JSON.stringify({ ...quiet(options.trust !== true), ...options.settings }, null, 2),
    );
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      HOME: dirs.home,
      XDG_CONFIG_HOME: path.join(dirs.home, '.config'),
      XDG_RUNTIME_DIR: path.join(root, 'run'),
      XDG_STATE_HOME: path.join(dirs.home, '.state'),
      XDG_CACHE_HOME: path.join(dirs.home, '.cache'),
      CLAUDE_CONFIG_DIR: path.join(dirs.home, '.claude'),
      EXTENSIONS_GALLERY: '{}',
      ...(ahead !== 0 && {
        NODE_OPTIONS: `--require=${path.join(must('CTX_TEST_EXTENSION'), 'test/driver/ahead.cjs')}`,
      }),
      ...options.env,
    };
    fs.mkdirSync(path.join(root, 'run'), { mode: 0o700 });
    const packed = [options.vsix, ...(options.extraVsix ?? [])].filter((vsix) => vsix !== undefined);
    if (packed.length > 0) {
      await installInto(dirs.extensions, dirs.data, packed, env);
    }
    const port = await portOf('CTX_TEST_PORT');
    const args = [
      must('CTX_TEST_CODE_SERVER'),
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--user-data-dir',
      dirs.data,
      '--extensions-dir',
      dirs.extensions,
    ];
    if (!options.trust) {
      args.push('--disable-workspace-trust');
    }
    const server = spawn(nodeOfEditor(), args, {
      env,
      detached: true,
      stdio: [
        'ignore',
        fs.openSync(path.join(root, 'server.log'), 'w'),
        fs.openSync(path.join(root, 'server.err'), 'w'),
      ],
    });
    const { browser, page } = await orEnd(server, async () => {
      await until(
        async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok === true,
        30_000,
        'code-server to answer',
      );
      return openPage(`http://127.0.0.1:${port}`);
    });
    const editor = new Editor(root, dirs.home, dirs.workspace, page, browser, server, port);
    await editor.shownOrClosed(() => editor.show(dirs.workspace));
    return editor;
  }

  async show(folder: string): Promise<void> {
    const isFile = folder.endsWith('.code-workspace');
    const address = `http://127.0.0.1:${this.port}/?${isFile ? 'workspace' : 'folder'}=${folder}`;
    await this.goTo(address);
    if (isFile) {
      await this.waitForRoots(address);
    }
  }

  /**
   * Waits for the roots of a workspace file. A workbench that starts on a busy machine sometimes reads the file before
   * it can, and then shows a workspace without folders until it is loaded again.
   */
  private async waitForRoots(address: string): Promise<void> {
    const roots = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    const empty = this.page.locator('.welcome-view-content').filter({ hasText: 'not yet added a folder' });
    for (let loads = 1; ; loads++) {
      await roots.or(empty.first()).first().waitFor();
      const shown = await roots.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
      if (shown) {
        return;
      }
      if (loads === 6) {
        throw new Error(`the editor shows no folder of ${address} after ${loads} loads`);
      }
      await this.goTo(address);
    }
  }

  /** A second window of the same editor, which shows the same folder. */
  async anotherWindow(): Promise<Window> {
    const page = await this.anotherPage();
    await page.goto(this.page.url());
    await page.locator('.monaco-workbench .statusbar').waitFor();
    return new Window(page, this.browser);
  }

  /** Throws if a recorded session lies where the daemon looks for sessions and would be an earlier one tomorrow. */
  override refuseOld(): void {
    for (const folder of ['home', 'data/agentSessionData', 'data/User/globalStorage']) {
      refuseUnmoved(path.join(this.root, folder));
    }
  }

  /** Changes settings of the workspace: those of the user are not watched by the server. */
  settings(change: Record<string, unknown>): void {
    this.change(path.join(this.workspace, '.vscode/settings.json'), change);
  }

  /** Changes settings of the machine, which a workspace cannot have. */
  machineSettings(change: Record<string, unknown>): void {
    this.change(path.join(this.root, 'data/Machine/settings.json'), change);
  }

  private change(file: string, change: Record<string, unknown>): void {
    const before = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ ...before, ...change }, null, 2));
  }

  /** Changes the theme, and waits until the workbench and the webviews have it. */
  async theme(name: keyof typeof kinds): Promise<void> {
    this.settings({ 'workbench.colorTheme': name });
    const { workbench, webview } = kinds[name];
    await this.page.locator(`.monaco-workbench.${workbench}`).waitFor({ state: 'attached' });
    // A page of a webview has a class of this kind; other frames have none.
    const classes = async (): Promise<string[]> =>
      Promise.all(
        this.page.frames().map((frame) => frame.evaluate<string>('document.body?.className ?? ""').catch(() => '')),
      );
    await this.until(
      async () =>
        (await classes()).every((c) => !/\bvscode-(light|dark|high)/.test(c) || c.split(' ').includes(webview)),
      `the webviews to have the theme ${name}`,
    );
  }

  /**
   * The ids of the processes that serve this editor: the daemon of all windows, or one of a window's own. A window also
   * runs the program for its version and for what was found.
   */
  daemons(): number[] {
    return this.programs().filter((pid) => {
      const command = commandOf(pid);
      return command.includes('serve') && !command.includes('--shared');
    });
  }

  /** The ids of all processes of this editor's daemon program, those that carry a window to the shared one included. */
  private programs(): number[] {
    const marker = path.join(this.root, 'extensions');
    return fs
      .readdirSync('/proc')
      .filter((d) => /^\d+$/.test(d))
      .map(Number)
      .filter((pid) => {
        try {
          return (
            fs.readlinkSync(`/proc/${pid}/exe`).startsWith(marker) &&
            fs.readlinkSync(`/proc/${pid}/exe`).endsWith('/ctx-lsp')
          );
        } catch {
          return false;
        }
      });
  }

  /** The processor time that the daemon and the extension host have used, in milliseconds. */
  processorMs(): { daemon: number; host: number } {
    return this.ofBoth(usedMs);
  }

  /** The memory that the daemon and the extension host have of their own, in megabytes: without the files they map. */
  memoryMb(): { daemon: number; host: number } {
    return this.ofBoth(ownMb);
  }

  private ofBoth(each: (pid: number) => number): { daemon: number; host: number } {
    const tree = processes();
    const under = (pid: number): boolean => pid === this.server.pid || (tree.has(pid) && under(tree.get(pid) ?? 0));
    const hosts = [...tree.keys()].filter(
      (pid) => under(pid) && commandOf(pid).some((word) => word.includes('type=extensionHost')),
    );
    const sum = (pids: number[]): number => pids.reduce((all, pid) => all + each(pid), 0);
    return { daemon: sum(this.programs()), host: sum(hosts) };
  }

  /** The extension's own log. */
  log(): string {
    const logs = path.join(this.root, 'data/logs');
    const found = fs
      .readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((f) => /ctx-lsp\.ctx-lsp.*\.log$/.test(f));
    return found.map((f) => fs.readFileSync(path.join(logs, f), 'utf8')).join('\n');
  }

  /** Waits until the log fits: it is written a moment after the screen has changed. */
  async logged(fits: RegExp): Promise<void> {
    await this.until(
      async () => fits.test(this.log()),
      () => `the log to have ${String(fits)}; it has\n${this.log()}`,
    );
  }

  async close(): Promise<void> {
    await this.closePages();
    const { pid } = this.server;
    if (pid !== undefined) {
      endGroup(pid, 'SIGTERM');
      await until(
        () => Promise.resolve(this.server.exitCode !== null || this.server.signalCode !== null),
        5000,
        'code-server to end',
      ).catch(() => undefined);
      endGroup(pid, 'SIGKILL');
    }
    // The daemon of all windows outlives them for a while.
    for (const daemon of this.programs()) {
      endGroup(daemon, 'SIGKILL');
    }
    if (!process.env.CTX_TEST_KEEP) {
      fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }
}

/** The classes by which a workbench and the pages of its webviews say what kind of theme they have. */
const kinds = {
  'Default Dark Modern': { workbench: 'vs-dark', webview: 'vscode-dark' },
  'Default Light Modern': { workbench: 'vs', webview: 'vscode-light' },
  'Default High Contrast': { workbench: 'hc-black', webview: 'vscode-high-contrast' },
  'Default High Contrast Light': { workbench: 'hc-light', webview: 'vscode-high-contrast-light' },
};

/** A further window of an editor. */
export class Window extends Workbench {
  constructor(page: Page, browser: Browser) {
    super(page, browser);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

/** The command line of a process; empty when it has ended. */
function commandOf(pid: number): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Every process of this machine, with its parent. */
function processes(): Map<number, number> {
  const found = new Map<number, number>();
  for (const pid of fs.readdirSync('/proc').filter((d) => /^\d+$/.test(d))) {
    const parent = statOf(Number(pid))[1];
    if (parent !== undefined) {
      found.set(Number(pid), Number(parent));
    }
  }
  return found;
}

/** Returns the kernel's data about a process, from its state on; empty if it has ended. */
function statOf(pid: number): string[] {
  try {
    return fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** The processor time of a process, which the kernel counts in hundredths of a second. */
const usedMs = (pid: number): number => (Number(statOf(pid)[11] ?? 0) + Number(statOf(pid)[12] ?? 0)) * 10;

/** Returns the memory of a process that is not backed by a file; 0 if it has ended. */
function ownMb(pid: number): number {
  try {
    const [, kb] = /^RssAnon:\s*(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** User settings that keep a run quiet. */
function quiet(trustOff: boolean): Record<string, unknown> {
  return {
    'security.workspace.trust.enabled': !trustOff,
    'security.workspace.trust.startupPrompt': 'never',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'chat.disableAIFeatures': true,
    'chat.commandCenter.enabled': false,
    'extensions.autoUpdate': false,
    'extensions.autoCheckUpdates': false,
    'telemetry.telemetryLevel': 'off',
    'git.enabled': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'workbench.hover.delay': 100,
  };
}
