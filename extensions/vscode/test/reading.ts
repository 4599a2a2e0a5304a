import type { Reading } from '../api/protocol';

/** A Reading by hand, for tests of what is drawn; `change` says what differs. */
export function reading(change: Partial<Reading> = {}): Reading {
  return {
    schema: 'ctx.reading/1',
    session: 's1',
    agent: 'claude-code',
    model: 'claude-opus-4-6',
    workspace: '/w',
    mode: 'hybrid',
    basis: 'measured',
    pending: false,
    used: 124_000,
    low: 124_000,
    high: 124_000,
    limit: 200_000,
    free: 76_000,
    reserve: 0,
    percent: 62,
    limitSource: 'agentTable',
    lastRequest: { in: 123_000, percent: 61.5, cacheRead: 120_000, cacheWrite: 3000, out: 1000, reasoning: null, carry: 1000, carryBasis: 'measured' },
    leaving: { tokens: 0, reasons: [] },
    new: { tokens: 0, items: 0, basis: 'counted' },
    breakdown: [
      { kind: 'system', label: 'System prompt', tokens: 24_000, basis: 'derived' },
      { kind: 'user', label: 'User', tokens: 20_000, basis: 'estimated' },
      { kind: 'toolResults', label: 'Tool results', tokens: 80_000, basis: 'estimated' },
    ],
    compaction: { rule: 'claude-code 2.1.20+', since: '2026-01-20', source: 'the agent’s program', line: 165_000, left: 41_000, percent: 75.15, level: 'ok', buffer: 35_000, landing: null, callsLeft: { low: 4, likely: 6, high: 9 }, turnsLeft: { low: 1, likely: 2, high: 3 } },
    advice: [{ action: 'compact', label: 'Compact the conversation', tokens: 90_000, items: 40, how: '/compact', breaksCache: true }],
    accuracy: { last: null, ratio: 1, medianTokens: 12, p95Tokens: 60, p95Percent: 0.1, steps: 8 },
    spent: { calls: 9, in: 900_000, out: 12_000, cacheRead: 800_000, cacheWrite: 100_000, reasoning: 0 },
    compactions: 0,
    children: [],
    warnings: [],
    asOf: 1_700_000_000_000,
    agentPercent: null,
    display: { percent: '62%', used: '124k', limit: '200k', free: '76k', left: '41k', mark: '', percentLeft: '38%', line: '165k', linePercent: '75%', linePercentLeft: '25%', bar: '▰▰▰▰▰▰▱▱▱▱' },
    ...change,
  };
}
