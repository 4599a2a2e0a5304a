// Copyright The ctx-lsp authors. MIT licence.

import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openPage, portOf } from './page';
import { endGroup, must, orEnd, until, Workbench } from './workbench';

/** VS Code for the Web: the workbench and the extension host in a browser, the extension served as it is packed. */
export class WebEditor extends Workbench {
  private constructor(
    readonly root: string,
    page: Page,
    browser: Browser,
    private readonly server: ChildProcess,
  ) {
    super(page, browser);
  }

  /** Opens it on a folder with the given files. */
  static async open(files: Record<string, string>): Promise<WebEditor> {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-web-')));
    const workspace = path.join(root, 'workspace');
    fs.mkdirSync(workspace);
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
      fs.writeFileSync(path.join(workspace, name), text);
    }
    const others = path.join(root, 'extensions');
    fs.cpSync(must('CTX_TEST_EXAMPLE'), path.join(others, 'example'), { recursive: true });
    const port = await portOf('CTX_TEST_WEB_PORT');
    const args = [
      must('CTX_TEST_WEB'),
      '--browser',
      'none',
      '--quality',
      'stable',
      '--commit',
      must('CTX_TEST_WEB_COMMIT'),
      '--testRunnerDataDir',
      must('CTX_TEST_WEB_DATA'),
      '--extensionDevelopmentPath',
      must('CTX_TEST_EXTENSION'),
      '--extensionPath',
      others,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      workspace,
    ];
    const server = spawn(process.execPath, args, {
      detached: true,
      stdio: [
        'ignore',
        fs.openSync(path.join(root, 'server.log'), 'w'),
        fs.openSync(path.join(root, 'server.err'), 'w'),
      ],
    });
    const { browser, page } = await orEnd(server, async () => {
      await until(
        async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))?.ok === true,
        30_000,
        'vscode-test-web to answer',
      );
      return openPage(`http://127.0.0.1:${port}`);
    });
    const editor = new WebEditor(root, page, browser, server);
    await editor.shownOrClosed(() => editor.goTo(`http://127.0.0.1:${port}/`));
    return editor;
  }

  async close(): Promise<void> {
    await this.closePages();
    if (this.server.pid !== undefined) {
      endGroup(this.server.pid, 'SIGKILL');
    }
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
