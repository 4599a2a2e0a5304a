// Copyright The ctx-lsp authors. MIT licence.

// Code generated from tools/gen/prefix/*.json by `make generated`. DO NOT EDIT.

package agent

// builtInTable holds the sizes of system prompts and built-in tools, in tokens.
// The columns are: the agent, its version, the model, the vocabulary of the
// tokens, the fixed part of the system prompt, the rest of it, all tools, the
// tools that are loaded where others are deferred, a tool that only some
// sessions have, what repositories add to the system prompt, a reminder before
// the first message with a list of skills, and the day of the version if
// transcripts name no version.
//
// claude-code: npm @anthropic-ai/claude-code, the versions below, run once in
// 2026-11 without an account or a network; a server on the same machine stood
// in for the provider's.
// opencode@1.2.20: npm opencode-linux-x64@1.2.20.
// opencode@1.3.2: npm opencode-linux-x64@1.3.2.
// opencode@1.14.34: npm opencode-linux-x64@1.14.34.
// opencode@1.14.48: npm opencode-linux-x64@1.14.48.
// opencode@1.18.34: npm opencode-linux-x64@1.18.34.
// kilo@7.7.9: npm @kilocode/cli-linux-x64@7.7.9.
// gemini-cli@0.33.0: npm @google/gemini-cli@0.33.0.
// gemini-cli@0.36.0: npm @google/gemini-cli@0.36.0.
// gemini-cli@0.38.2: npm @google/gemini-cli@0.38.2.
// gemini-cli@0.51.0: npm @google/gemini-cli@0.51.0.
// gemini-cli@0.61.0: npm @google/gemini-cli@0.61.0.
// qwen-code@0.15.10: npm @qwen-code/qwen-code@0.15.10.
// qwen-code@0.24.4: npm @qwen-code/qwen-code@0.24.4.
// cline@3.0.65: npm @cline/cli-linux-x64@3.0.65.
// roo-code@3.45.0: github RooCodeInc/Roo-Code@35d282b065b29b6cc41a3571aef54222e6ca2a09.
// roo-code@3.52.1: github RooCodeInc/Roo-Code@67def7214a6165cab2ed76ec9e0984812402c0ac.
//
// `mk/tool.sh gen/prefix -measure` has measured all sizes but the first agent's.
const builtInTable = `
claude-code 1.0.86 * own 14 2944 11403 - - - - -
claude-code 2.0.14 * own 14 2008 11805 - - - - -
claude-code 2.0.76 * own 14 2839 15241 - - - - -
claude-code 2.1.7 * own 14 2714 16685 - - - - -
claude-code 2.1.17 * own 43 2214 15820 - - - - -
claude-code 2.1.29 * own 43 2209 15594 - - - - -
claude-code 2.1.37 * own 50 2256 15686 - - - - -
claude-code 2.1.39 * own 50 2258 15612 - - - - -
claude-code 2.1.45 * own 50 2251 15923 - - - - -
claude-code 2.1.49 * own 50 2335 16018 - - - - -
claude-code 2.1.62 * own 50 3083 16465 - - - - -
claude-code 2.1.89 * own 2612 3582 18396 8949 - - - -
claude-code 2.1.98 * own 2612 3574 18396 8943 - - - -
claude-code 2.1.112 claude-opus-4-7 own 138 8136 27042 10860 - - - -
claude-code 2.1.126 claude-opus-4-7 own 3196 5039 25525 10860 - - - -
claude-code 2.1.161 claude-sonnet-4-6 own 2237 3858 18396 9071 5411 - - -
claude-code 2.1.161 claude-opus-4-6 own 2237 3858 18396 9071 5411 - - -
claude-code 2.1.161 claude-haiku-4-5 own 2237 3858 18396 9071 5411 - - -
claude-code 2.1.170 claude-opus-4-8 own 520 1638 20023 8668 7628 - - -
claude-code 2.1.170 claude-fable-5 own 520 2714 20023 8668 7628 - - -
claude-code 2.1.179 claude-opus-4-8 own 520 1639 20023 8127 7729 - - -
claude-code 2.1.209 claude-fable-5 own 533 3059 20510 9085 7804 - - -
claude-code 2.1.209 claude-sonnet-5 own 3423 5408 26598 14111 7804 - - -
claude-code 2.1.217 claude-opus-5 own 533 1718 21008 9010 7804 - - -
claude-code 2.1.217 claude-opus-4-8 own 533 1748 21008 9010 7804 - - -
claude-code 2.1.217 claude-fable-5 own 533 3062 21008 9010 7804 - - -
claude-code 2.1.217 claude-sonnet-5 own 3424 5408 27096 14364 7804 - - -
opencode 1.2.20 *codex o200k 1652 - 7109 - - - - -
opencode 1.2.20 gpt-4.1 o200k 2388 - 7320 - - - - -
opencode 1.2.20 gpt- o200k 1646 - 7109 - - - - -
opencode 1.2.20 *claude o200k 1727 - 7962 - - - - -
opencode 1.2.20 *gemini o200k 3340 - 3025 - - - - -
opencode 1.2.20 *kimi o200k 2111 - 7962 - - - - -
opencode 1.2.20 * o200k 2107 - 7962 - - - - -
opencode 1.3.2 *codex o200k 1689 - 6874 - - - - -
opencode 1.3.2 gpt-4.1 o200k 2425 - 7085 - - - - -
opencode 1.3.2 gpt- o200k 1683 - 6874 - - - - -
opencode 1.3.2 *claude o200k 1764 - 7620 - - - - -
opencode 1.3.2 *gemini o200k 3377 - 2895 - - - - -
opencode 1.3.2 *kimi o200k 1938 - 7620 - - - - -
opencode 1.3.2 * o200k 1934 - 7620 - - - - -
opencode 1.14.34 *codex o200k 1682 - 6996 - - - - -
opencode 1.14.34 gpt-4.1 o200k 2418 - 7207 - - - - -
opencode 1.14.34 gpt- o200k 1972 - 6996 - - - - -
opencode 1.14.34 *claude o200k 1757 - 7720 - - - - -
opencode 1.14.34 *gemini o200k 3370 - 2933 - - - - -
opencode 1.14.34 *kimi o200k 1871 - 7720 - - - - -
opencode 1.14.34 * o200k 1927 - 7720 - - - - -
opencode 1.14.48 *codex o200k 1682 - 6996 - - - - -
opencode 1.14.48 gpt-4.1 o200k 2418 - 7207 - - - - -
opencode 1.14.48 gpt- o200k 1972 - 6996 - - - - -
opencode 1.14.48 *claude o200k 1757 - 7720 - - - - -
opencode 1.14.48 *gemini o200k 3370 - 2933 - - - - -
opencode 1.14.48 *kimi o200k 1871 - 7720 - - - - -
opencode 1.14.48 * o200k 1927 - 7720 - - - - -
opencode 1.18.34 *codex o200k 1807 - 3894 - - - - -
opencode 1.18.34 gpt-4.1 o200k 2543 - 4105 - - - - -
opencode 1.18.34 gpt- o200k 2097 - 3894 - - - - -
opencode 1.18.34 *claude o200k 1882 - 4645 - - - - -
opencode 1.18.34 *gemini o200k 3495 - 1765 - - - - -
opencode 1.18.34 *kimi o200k 1996 - 4645 - - - - -
opencode 1.18.34 * o200k 2009 - 4645 - - - - -
kilo 7.7.9 gpt- o200k 2891 48 8500 - - - - -
kilo 7.7.9 *claude o200k 2676 48 9770 - - - - -
kilo 7.7.9 *gemini o200k 4289 48 3712 - - - - -
kilo 7.7.9 * o200k 2805 48 9770 - - - - -
gemini-cli 0.33.0 * own 4369 144 1368 - - 342 - 2026-03-11
gemini-cli 0.36.0 * own 4703 144 1537 - - 342 - 2026-04-01
gemini-cli 0.38.2 * own 4833 144 1663 - - 342 - 2026-04-14
gemini-cli 0.51.0 * own 6152 144 1513 - - 397 - 2026-07-19
gemini-cli 0.61.0 * own 6390 - 1513 - - 397 - 2026-09-25
qwen-code 0.15.10 * o200k 8017 89 8547 - - 289 - -
qwen-code 0.24.4 * o200k 5801 - 8361 - - 434 2195 -
cline 3.0.65 gpt- o200k 0 - 2344 - - - - -
cline 3.0.65 * o200k 0 - 3471 - - - - -
roo-code 3.45.0 gpt- o200k 2900 - 3146 - - - - 2026-01-27
roo-code 3.45.0 * o200k 2900 - 3935 - - - - 2026-01-27
roo-code 3.52.1 gpt- o200k 2996 - 3779 - - - - 2026-04-13
roo-code 3.52.1 * o200k 2996 - 4639 - - - - 2026-04-13
`
