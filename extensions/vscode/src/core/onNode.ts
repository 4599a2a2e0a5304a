// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Environment } from '../platform';
import type { Started } from '../supervisor';
import { nodeFiles } from './nodeFiles';
import { startCore } from './start';

/** Starts the core in an extension host that runs on Node. */
export const startOnNode = (extension: vscode.Uri, environment: Environment): Promise<Started> =>
  startCore(nodeFiles(extension), environment);
