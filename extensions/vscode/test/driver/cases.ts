// Copyright The ctx-lsp authors. MIT licence.

import { test as nodeTest, type TestContext } from 'node:test';
import { Workbench } from './workbench';

type Case = (t: TestContext) => unknown;

let failed = false;

/** How long a case may take, in milliseconds: many times what the slowest takes on a busy machine. */
const LONGEST = 600_000;

/**
 * A case in an editor. The cases of a file share an editor and build on each other. If one fails, a screenshot is kept,
 * and the cases after it are skipped: the file is run once more from its start, in a fresh editor, and a case that
 * passes then is listed as unsteady. A case that is not done after 30 s prints what its windows show.
 */
export function test(name: string, ...rest: [Case] | [{ skip: string | false }, Case]): void {
  const run = rest[rest.length - 1] as Case;
  const options = rest.length > 1 ? (rest[0] as object) : {};
  void nodeTest(name, options, async (t) => {
    if (failed && process.env.CTX_TEST_LAST_RUN === undefined) {
      t.skip('a case before it failed');
      return;
    }
    let limit: NodeJS.Timeout | undefined;
    const slow = setTimeout(() => void Workbench.printSeen(`“${name}” is not done after 30 s`), 30_000);
    try {
      const late = new Promise((_, reject) => {
        limit = setTimeout(() => reject(new Error(`not done after ${LONGEST / 1000} s`)), LONGEST);
      });
      await Promise.race([run(t), late]);
      Workbench.refuseOld();
    } catch (error) {
      failed = true;
      await Workbench.keepEvidence(name);
      throw error;
    } finally {
      clearTimeout(limit);
      clearTimeout(slow);
    }
  });
}
