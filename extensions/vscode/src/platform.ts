// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Config } from './config';
import type { ListFiles } from './fit/texts';
import type { Started } from './supervisor';

/** The parameters for starting a backend. */
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
  /** The platform, as in the names of this extension's packages. */
  readonly target?: string;
  /** Lists the files of a folder without those that its repository ignores. */
  readonly listFiles?: ListFiles;
  /** Resolves all links of a path, if the file system supports that. */
  readonly realPath?: (file: string) => Promise<string>;
}
