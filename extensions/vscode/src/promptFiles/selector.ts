// Copyright The ctx-lsp authors. MIT licence.

import { promptFileGlobs, settingsFileGlobs } from '../agents.gen';

/**
 * A document selector for prompt files. The backend has the same list and decides; the selector only prevents the
 * editor from sending it every file.
 */
export const promptFileSelector = promptFileGlobs.map((pattern) => ({ pattern }));

/** The documents that are sent to the daemon: prompt files, and the settings files of agents. */
export const daemonSelector = [...promptFileGlobs, ...settingsFileGlobs].map((pattern) => ({ pattern }));
