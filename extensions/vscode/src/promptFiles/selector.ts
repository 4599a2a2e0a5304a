// Copyright The ctx-lsp authors. MIT licence.

import { promptFileGlobs } from '../agents.gen';

/**
 * Which documents are prompt files, as a document selector. The calculator has the same list and decides; this one
 * only keeps the editor from sending it every file.
 */
export const promptFileSelector = promptFileGlobs.map((pattern) => ({ pattern }));
