// Copyright The ctx-lsp authors. MIT licence.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** A path where the daemon may be, and its source. */
export interface Candidate {
  readonly file: string;
  readonly from: 'debug variable' | 'setting' | 'extension' | 'PATH' | 'Go bin directory';
}

/** The environment variable that developers of the daemon set to the path of a build. */
export const debugVariable = 'CTX_LSP_SERVER_DEBUG';

/**
 * Lists the paths where the daemon may be, in order of preference. A path that the user has set is the only one: if it
 * does not work, the user gets an error message, and no other program runs instead.
 */
export function candidates(
  settingPath: string | undefined,
  extensionPath: string,
  env: NodeJS.ProcessEnv,
): Candidate[] {
  const debug = env[debugVariable];
  if (debug) {
    return [{ file: debug, from: 'debug variable' }];
  }
  if (settingPath) {
    return [{ file: expandHome(settingPath), from: 'setting' }];
  }
  const program = process.platform === 'win32' ? 'ctx-lsp.exe' : 'ctx-lsp';
  const found: Candidate[] = [];
  const bundled = path.join(extensionPath, 'server', program);
  if (isProgram(bundled)) {
    found.push({ file: bundled, from: 'extension' });
  }
  for (const dir of (env.PATH ?? '').split(path.delimiter)) {
    // With a relative entry, the opened folder would decide which program runs.
    if (path.isAbsolute(dir) && isProgram(path.join(dir, program))) {
      found.push({ file: path.join(dir, program), from: 'PATH' });
      break;
    }
  }
  return found.length > 0 ? found : inGoBin(program, env);
}

/** Where `make install` and `go install` put programs: a last resort, as that directory is often not on the PATH. */
function inGoBin(program: string, env: NodeJS.ProcessEnv): Candidate[] {
  const dirs = (env.GOPATH || path.join(os.homedir(), 'go')).split(path.delimiter).map((dir) => path.join(dir, 'bin'));
  const dir = [env.GOBIN ?? '', ...dirs].find((d) => path.isAbsolute(d) && isProgram(path.join(d, program)));
  return dir ? [{ file: path.join(dir, program), from: 'Go bin directory' }] : [];
}

function expandHome(file: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(os.homedir(), file.slice(1)) : file;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
