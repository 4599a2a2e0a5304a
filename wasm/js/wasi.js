// Copyright The ctx-lsp authors. MIT licence.

// The part of WASI that a module built with the Go toolchain needs before it runs, as stubs: no files, no arguments, no
// network. The module may request random bytes and the time since its start, and its output goes to the host's log.

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 52;

/**
 * Go's runtime does not collect garbage before the first texts are counted. Otherwise the collector's own functions
 * would have to be compiled, and the first count would take a quarter longer. Near this much memory it collects sooner.
 */
const environment = ['GOMEMLIMIT=192MiB', 'GOGC=200'];

/** Thrown when the module exits, which it does only if it crashes. */
export class ModuleExit extends Error {
  constructor(code) {
    super(`it exited with code ${code}`);
    this.code = code;
  }
}

export function wasi(log) {
  let memory;
  let written = '';
  const utf8 = new TextDecoder();
  const view = () => new DataView(memory.buffer);
  const bytes = (ptr, n) => new Uint8Array(memory.buffer, ptr >>> 0, n >>> 0);

  const stubs = {
    args_sizes_get(count, size) {
      view().setUint32(count >>> 0, 0, true);
      view().setUint32(size >>> 0, 0, true);
      return SUCCESS;
    },
    args_get: () => SUCCESS,
    environ_sizes_get(count, size) {
      view().setUint32(count >>> 0, environment.length, true);
      view().setUint32(
        size >>> 0,
        environment.reduce((n, e) => n + e.length + 1, 0),
        true,
      );
      return SUCCESS;
    },
    environ_get(pointers, texts) {
      let at = texts >>> 0;
      environment.forEach((entry, i) => {
        view().setUint32((pointers >>> 0) + 4 * i, at, true);
        bytes(at, entry.length + 1).set(new TextEncoder().encode(`${entry}\0`));
        at += entry.length + 1;
      });
      return SUCCESS;
    },
    clock_time_get(_clock, _precision, result) {
      view().setBigUint64(result >>> 0, BigInt(Math.round(performance.now() * 1e6)), true);
      return SUCCESS;
    },
    random_get(ptr, n) {
      const most = 65536; // the most that getRandomValues fills at once
      for (let done = 0; done < n; done += most) crypto.getRandomValues(bytes(ptr + done, Math.min(most, n - done)));
      return SUCCESS;
    },
    fd_write(_descriptor, vectors, count, result) {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const at = (vectors >>> 0) + 8 * i;
        const n = view().getUint32(at + 4, true);
        if (written.length < 4096) written += utf8.decode(bytes(view().getUint32(at, true), n).slice());
        total += n;
      }
      view().setUint32(result >>> 0, total, true);
      return SUCCESS;
    },
    fd_fdstat_get(descriptor, result) {
      if (descriptor > 2) return BAD_DESCRIPTOR;
      bytes(result, 24).fill(0);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_prestat_get: () => BAD_DESCRIPTOR,
    fd_prestat_dir_name: () => BAD_DESCRIPTOR,
    fd_close: () => BAD_DESCRIPTOR,
    sched_yield: () => SUCCESS,
    // A sleeping module is woken at once.
    poll_oneoff(subscriptions, events, count, result) {
      for (let i = 0; i < count; i++) {
        const from = (subscriptions >>> 0) + 48 * i;
        const to = (events >>> 0) + 32 * i;
        bytes(to, 32).fill(0);
        view().setBigUint64(to, view().getBigUint64(from, true), true); // the subscription's id
        view().setUint8(to + 10, view().getUint8(from + 8)); // its type
      }
      view().setUint32(result >>> 0, count, true);
      return SUCCESS;
    },
    proc_exit(code) {
      throw new ModuleExit(code);
    },
  };

  return {
    imports(module) {
      const functions = {};
      for (const { name } of WebAssembly.Module.imports(module)) functions[name] = stubs[name] ?? (() => NOT_SUPPORTED);
      return { wasi_snapshot_preview1: functions };
    },
    attach(m) {
      memory = m;
    },
    /** Returns the first line that the module wrote, which explains a crash. All output goes to the log. */
    lastWords() {
      const text = written.trim();
      written = '';
      if (text) log(text);
      return text.split('\n', 1)[0];
    },
  };
}
