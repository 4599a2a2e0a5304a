// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Config } from './config';
import type { ListFiles } from './fit/texts';
import type { Started } from './supervisor';

/** The parameters with which a starter starts a backend. */
export interface Environment {
  readonly config: Config;
  readonly log: vscode.LogOutputChannel;
  /** The version of this extension. */
  readonly version: string;
}

/** The differences between the desktop and the web. */
export interface Platform {
  readonly daemon?: (environment: Environment) => Promise<Started>;
  readonly core: (environment: Environment) => Promise<Started>;
  /** The platform, as packages of this extension are named. */
  readonly target?: string;
  /** Lists the files of a folder without those that its repository ignores. */
  readonly listFiles?: ListFiles;
  /** Follows every link of a path, where the file system allows it. */
  readonly realPath?: (file: string) => Promise<string>;
}
