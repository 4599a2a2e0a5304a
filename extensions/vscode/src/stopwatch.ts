// Copyright The ctx-lsp authors. MIT licence.

/**
 * Returns the CPU time that this extension host has used, in milliseconds; undefined if the host does not provide it.
 */
function processorMs(): number | undefined {
  const host = (globalThis as { process?: { cpuUsage?: () => { user: number; system: number } } }).process;
  const used = host?.cpuUsage?.();
  return used && (used.user + used.system) / 1000;
}

/** Measures the cost of loading and activating, without the host's work in between. */
class Stopwatch {
  private wall = 0;
  private processor = 0;
  private startedWall = performance.now();
  private startedProcessor = processorMs();

  stop(): void {
    this.wall += performance.now() - this.startedWall;
    this.processor += (processorMs() ?? 0) - (this.startedProcessor ?? 0);
  }

  start(): void {
    this.startedWall = performance.now();
    this.startedProcessor = processorMs();
  }

  toString(): string {
    const wall = `${Math.ceil(this.wall)} ms`;
    return this.startedProcessor === undefined ? wall : `${wall}, ${Math.ceil(this.processor)} ms of processor time`;
  }
}

/** Runs from here on: an entry point imports this file before everything else, and stops the watch once loaded. */
export const stopwatch = new Stopwatch();
