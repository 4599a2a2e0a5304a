// Copyright The ctx-lsp authors. MIT licence.

import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';

/** The id that the workbench gives the status item's element. */
const statusItemId = 'ctx-lsp.ctx-lsp.ctx.status';

/** A workbench in a browser, as users see and use it, from any server. */
export abstract class Workbench {
  private static readonly shown = new Set<Workbench>();
  private readonly others: Page[] = [];

  protected constructor(
    readonly page: Page,
    protected readonly browser: Browser,
  ) {
    Workbench.shown.add(this);
    page.once('close', () => Workbench.shown.delete(this));
  }

  /** Saves screenshots of the open pages, because a case has failed. */
  static async keepEvidence(name: string): Promise<void> {
    for (const [i, { page }] of [...Workbench.shown].entries()) {
      const file = `failed/${name.replace(/[^\p{L}\d]+/gu, '-').slice(0, 60)}-${i}.png`;
      await page.screenshot({ path: path.join(must('CTX_TEST_SCREENSHOTS'), file) }).catch(() => undefined);
    }
  }

  /** Prints what the open windows show. */
  static async printSeen(why: string): Promise<void> {
    for (const workbench of Workbench.shown) {
      const seen = await workbench.whatIsSeen().catch((error: unknown) => String(error));
      process.stderr.write(`${why}; the window shows\n${seen}\n`);
    }
  }

  /** The status item; it has no size while it is hidden. */
  get statusItem(): Locator {
    return this.page.locator(`.statusbar-item[id="${statusItemId}"]`);
  }

  /** Waits until the status item's text fits, and answers it. */
  async statusText(fits: RegExp | string, timeout = 90_000): Promise<string> {
    this.refuseOld();
    let text = '';
    await until(
      async () => {
        text = await this.textNow();
        return typeof fits === 'string' ? text === fits : fits.test(text);
      },
      timeout,
      () => `the status item to say ${String(fits)}; it says “${text}”`,
      30,
    );
    return text;
  }

  async textNow(): Promise<string> {
    const text = (await this.page.evaluate(`(() => {
      const item = document.querySelector('.statusbar-item[id="${statusItemId}"]');
      return item && item.offsetWidth > 0 ? item.innerText : '';
    })()`)) as string;
    return text.replace(/\s+/g, ' ').trim();
  }

  /** Which kind of background the status item has: “warning”, “error” or none. */
  async statusKind(): Promise<string> {
    const classes = (await this.statusItem.getAttribute('class')) ?? '';
    return /\berror-kind\b/.test(classes) ? 'error' : /\bwarning-kind\b/.test(classes) ? 'warning' : 'none';
  }

  async tooltip(): Promise<string> {
    await this.page.mouse.move(400, 400);
    await this.statusItem.hover();
    const hover = this.page.locator('.monaco-hover:visible').last();
    await hover.waitFor({ timeout: patience(5000) });
    return hover.innerText({ timeout: patience(5000) });
  }

  /** Chooses from the context menu that is open. By a key, because a menu takes no click in its first moment. */
  async choose(title: string): Promise<void> {
    const entry = this.page.locator('.context-view .action-label').filter({ hasText: title }).first();
    await entry.hover();
    await this.page.keyboard.press('Enter');
    await entry.waitFor({ state: 'hidden' });
  }

  /** Throws if a session lies on the machine in a way that makes a case depend on the day. */
  refuseOld(): void {}

  /** Checks every open workbench by refuseOld. */
  static refuseOld(): void {
    for (const workbench of Workbench.shown) {
      workbench.refuseOld();
    }
  }

  /**
   * Returns the row of a list whose label contains the text. If the window stays the same for 25 seconds without it,
   * the row cannot come, and the error says what the window shows instead. A daemon that still searches is waited for.
   */
  async row(label: string, stillMs = 25_000): Promise<Locator> {
    const row = this.page.locator(`.monaco-list-row[aria-label*="${label}"]`);
    let seen = '';
    let since = Date.now();
    const limit = Date.now() + patience(90_000);
    while ((await row.count()) === 0 || !(await row.first().isVisible())) {
      const sees = await this.whatIsSeen();
      if (sees !== seen || /still searching|sessions is starting/.test(sees)) {
        [seen, since] = [sees, Date.now()];
      }
      if (Date.now() - since > stillMs || Date.now() > limit) {
        throw new Error(`no row with “${label}” has come; the window shows\n${seen}`);
      }
      await new Promise((r) => setTimeout(r, 100));
    }
    return row;
  }

  /** The labels of all rows, messages and the status item that the window shows, for the text of an error. */
  async whatIsSeen(): Promise<string> {
    const seen = (await this.page.evaluate(`(() => {
      const shown = (e) => e.offsetWidth > 0;
      const rows = [...document.querySelectorAll('.monaco-list-row')].filter(shown);
      const others = [...document.querySelectorAll('.notification-list-item, .monaco-dialog-box, .view-welcome, .message')];
      return [
        ...rows.map((e) => 'row: ' + (e.getAttribute('aria-label') || e.innerText)),
        ...others.filter(shown).map((e) => 'message: ' + e.innerText),
      ].map((line) => line.replace(/\\s+/g, ' ')).join('\\n');
    })()`)) as string;
    return `${seen}\nstatus item: ${await this.textNow()}`;
  }

  /** Runs a command by its title through the command palette. */
  async command(title: string): Promise<void> {
    this.refuseOld();
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    // The palette does not notice commands of an extension that comes while it is open, and closes when a busy
    // workbench moves the focus: it is opened anew until it has the command.
    await until(
      async () => {
        await this.page.keyboard.press('F1');
        const input = this.page.locator('.quick-input-widget:visible input.input');
        const found = await input
          .waitFor({ timeout: patience(10_000) })
          .then(() => input.fill(`>${title}`, { timeout: patience(5000) }))
          .then(() => row.waitFor({ timeout: patience(3000) }))
          .then(
            () => true,
            () => false,
          );
        if (!found) {
          await this.page.keyboard.press('Escape');
        }
        return found;
      },
      60_000,
      `the command ${title}`,
    );
    await row.click();
  }

  /** Reports whether the palette offers a command. Similar ones are listed after it. */
  async hasCommand(title: string): Promise<boolean> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    const offered = rows.filter({ hasText: title });
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget:visible input.input').fill(`>${title}`);
    const others = rows.filter({ hasText: /similar commands|No matching commands/ });
    await offered.or(others).first().waitFor();
    const has = (await offered.count()) > 0;
    await this.page.keyboard.press('Escape');
    await rows.first().waitFor({ state: 'hidden' });
    return has;
  }

  /** Returns the tooltip once its text matches. */
  async tooltipThat(fits: RegExp): Promise<string> {
    let text = '';
    await until(
      async () => {
        text = await this.tooltip().catch(() => '');
        return fits.test(text);
      },
      20_000,
      () => `the tooltip to say ${String(fits)}; it says\n${text}`,
      500,
    );
    return text;
  }

  /** The page inside the webview that is in front. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame');
  }

  until(holds: () => Promise<boolean>, what: string | (() => string), timeout = 15_000): Promise<void> {
    return until(holds, timeout, what);
  }

  /** Records every change of the status item with the time at which the page had it. */
  async watchStatus(): Promise<void> {
    await this.page.evaluate(`(() => {
      window.statusChanges = [];
      const item = document.querySelector('.statusbar-item[id="${statusItemId}"]');
      new MutationObserver(() => window.statusChanges.push(Date.now())).observe(item, { subtree: true, childList: true, characterData: true });
    })()`);
  }

  /** The time of the first change after the given one. */
  async statusChangedAfter(time: number): Promise<number> {
    const handle = await this.page.waitForFunction(`window.statusChanges.find((t) => t >= ${time})`, undefined, {
      timeout: patience(10_000),
    });
    return (await handle.jsonValue()) as number;
  }

  /** Opens a file through the explorer, by its path in the workspace, and waits until its editor has the focus. */
  async openFile(file: string): Promise<void> {
    const steps = file.split('/');
    const name = steps.pop() as string;
    const rows = this.page.locator('.explorer-folders-view .monaco-list-row');
    const rowOf = (text: string): Locator =>
      rows.filter({ hasText: new RegExp(`^\\s*${text.replace('.', '\\.')}\\s*$`) }).first();
    for (const [depth, folder] of steps.entries()) {
      const row = rowOf(folder);
      const child = rowOf(steps[depth + 1] ?? name);
      await row.waitFor();
      // The explorer expands the roots of a workspace by itself, a moment after it shows them: a click at that time
      // collapses one.
      await until(
        async () => {
          if ((await row.getAttribute('aria-expanded')) !== 'true') {
            await row.click();
          }
          return child.waitFor({ timeout: patience(3000) }).then(
            () => true,
            () => false,
          );
        },
        60_000,
        `${folder} to be expanded`,
      );
    }
    // A busy explorer opens the file for the first click of the two alone, and keeps the focus.
    const focused = this.page.locator('.editor-instance .monaco-editor.focused').first();
    await until(
      async () => {
        await rowOf(name).dblclick();
        await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
        return focused.waitFor({ timeout: patience(2000) }).then(
          () => true,
          () => false,
        );
      },
      60_000,
      `the editor of ${name} to have the focus`,
    );
  }

  /** Types into the terminal in front once it shows a prompt, and waits until its text fits. */
  async inTerminal(text: string, then: RegExp): Promise<void> {
    const rows = this.page.locator('.terminal-wrapper.active .xterm-rows');
    const shown = async (): Promise<string> =>
      (await rows.innerText().catch(() => '')).replaceAll('\u00a0', ' ').trim();
    await until(async () => (await shown()) !== '', 60_000, 'the prompt of the terminal');
    await this.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
    await this.page.keyboard.type(text);
    await until(
      async () => then.test(await shown()),
      60_000,
      () => `the terminal to show ${String(then)}`,
    );
  }

  clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  }

  /** How long the activation of an extension took by the editor's own measure, loading included. */
  async activation(extension = 'ctx-lsp'): Promise<number> {
    await this.command('Developer: Show Running Extensions');
    const row = this.page.locator('.runtime-extensions-editor .extension').filter({ hasText: extension }).first();
    const ms = async (): Promise<number> => Number(/Activation: (\d+)ms/.exec(await row.innerText())?.[1] ?? NaN);
    await until(async () => (await row.count()) > 0 && Number.isFinite(await ms()), 15_000, 'the activation time');
    const took = await ms();
    // The newest editors show this list above everything else, and take no other command until it is closed.
    await this.page.keyboard.press('Escape');
    return took;
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .statusbar').waitFor({ timeout: patience(60_000) });
  }

  /** The text of the example chat's own status item. */
  async chat(fits: RegExp): Promise<string> {
    const item = this.page.locator('.statusbar-item[id="ctx-lsp-example.example-chat.chat"]');
    let text = '';
    await until(
      async () => {
        text = (await item.count()) > 0 ? (await item.innerText()).trim() : '';
        return fits.test(text);
      },
      20_000,
      () => `the chat to say ${String(fits)}; it says “${text}”`,
    );
    return text;
  }

  abstract close(): Promise<void>;

  /** Closes everything where the workbench does not come: what stays open keeps the whole run waiting. */
  protected async shownOrClosed(show: () => Promise<void>): Promise<void> {
    try {
      await show();
    } catch (e) {
      await this.close();
      throw e;
    }
  }

  /** Opens an address, and waits for the workbench: on a busy machine its start takes a minute. */
  protected async goTo(address: string): Promise<void> {
    await this.page.goto(address, { waitUntil: 'commit', timeout: patience(120_000) });
    await this.page.locator('.monaco-workbench .statusbar').waitFor({ timeout: patience(120_000) });
  }

  /** A further page, which is closed with this one. */
  protected async anotherPage(): Promise<Page> {
    const page = await this.page.context().newPage();
    this.others.push(page);
    return page;
  }

  /** Closes the pages and releases the browser, which others use next. */
  protected async closePages(): Promise<void> {
    for (const page of [...this.others, this.page]) {
      await page.close().catch(() => undefined);
    }
    await this.browser.close().catch(() => undefined);
  }

  /** Keeps a picture of the page, or of a part of it. */
  screenshot(name: string, clip?: { x: number; y: number; width: number; height: number }): Promise<Buffer> {
    const file = path.join(must('CTX_TEST_SCREENSHOTS'), `${name}.png`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    return this.page.screenshot({ path: file, ...(clip ? { clip } : {}) });
  }
}

/**
 * How long a wait may last that would take so long on a quiet machine. Each wait ends with what it waits for; its limit
 * only ends what hangs, and where other programs keep the processors busy everybody waits for their turn.
 */
export function patience(ms: number): number {
  const perProcessor = (os.loadavg()[0] ?? 0) / os.cpus().length;
  return Math.round(ms * Math.min(8, Math.max(1, perProcessor / 1.5)));
}

export async function until(
  holds: () => Promise<boolean>,
  quietMs: number,
  what: string | (() => string),
  everyMs = 50,
): Promise<void> {
  const began = Date.now();
  while (!(await holds())) {
    // The load is asked each time, because it may rise during the wait.
    if (Date.now() > began + patience(quietMs)) {
      throw new Error(`waited ${Date.now() - began} ms in vain for ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((r) => setTimeout(r, everyMs));
  }
}

/** Runs open, and ends the server of the editor if open fails: as long as the server runs, its file of tests does. */
export async function orEnd<T>(server: ChildProcess, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (server.pid !== undefined) {
      endGroup(server.pid, 'SIGKILL');
    }
    throw error;
  }
}

/** Ends a process with its group, or alone if it leads none. */
export function endGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // The group, or the process, has ended already.
    }
  }
}

export function must(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: start the tests with “node test/run.mjs”`);
  }
  return value;
}
