// Copyright The ctx-lsp authors. MIT licence.

import { promptFileGlobs, settingsFileGlobs } from '../agents.gen';

/**
 * A document selector for prompt files. The calculator has the same list and decides; the selector only keeps the
 * editor from sending it every file.
 */
export const promptFileSelector = promptFileGlobs.map((pattern) => ({ pattern }));

/** The documents that the daemon gets: prompt files, and the files with settings of agents. */
export const daemonSelector = [...promptFileGlobs, ...settingsFileGlobs].map((pattern) => ({ pattern }));
