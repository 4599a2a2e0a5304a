/** Milliseconds of processor time that this extension host has used; where the host does not tell, nothing. */
export function processorMs(): number | undefined {
  const host = (globalThis as { process?: { cpuUsage?: () => { user: number; system: number } } }).process;
  const used = host?.cpuUsage?.();
  return used && (used.user + used.system) / 1000;
}

/** When the code of this extension began to run: it is imported before everything else. */
export const began = { wall: performance.now(), processor: processorMs() };
