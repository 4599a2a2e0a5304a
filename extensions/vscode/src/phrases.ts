// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../api/protocol';

/**
 * What the calculator and the daemon say in English, in the person's language. They say whole sentences, because not
 * every face can translate; here each sentence is known by its form, and what stands in it is put into the translation.
 * A sentence that is not known stays English.
 */
export function said(text: string): string {
  if (vscode.l10n.bundle === undefined) {
    return text;
  }
  book ??= forms().map(([english, translated]) => [matching(english), translated] as const);
  for (const [form, translated] of book) {
    const found = form.exec(text);
    if (found) {
      return translated.replace(/\{(\d)\}/g, (_, i: string) => {
        const value = found.groups?.[`v${i}`] ?? '';
        return value === text ? value : said(value);
      });
    }
  }
  return text;
}

/** A Reading whose names of parts, advice and sentences are in the person's language, for every face. */
export function translated(reading: Reading): Reading {
  if (vscode.l10n.bundle === undefined) {
    return reading;
  }
  const { breakdown, advice, warnings, mcpServers, rangeCause, accuracy, leaving } = reading;
  return {
    ...reading,
    breakdown: breakdown.map((row) => ({ ...row, label: said(row.label) })),
    advice: advice.map((a) => ({ ...a, label: said(a.label), how: said(a.how) })),
    warnings: warnings.map(said),
    mcpServers: mcpServers.map((s) => ({ ...s, text: said(s.text) })),
    rangeCause: said(rangeCause),
    leaving: { ...leaving, reasons: leaving.reasons.map((r) => ({ ...r, reason: said(r.reason) })) },
    accuracy: accuracy.last ? { ...accuracy, last: { ...accuracy.last, cause: said(accuracy.last.cause) } } : accuracy,
  };
}

/** The largest things with what has no name of its own in the person's language. */
export function translatedItems(items: Items): Items {
  return { ...items, items: items.items.map((i) => (i.what ? i : { ...i, label: said(i.label) })) };
}

let book: (readonly [RegExp, string])[] | undefined;

/** A form as an expression; each hole takes as little as fits. */
function matching(english: string): RegExp {
  const source = english
    .split(/(\{\d\})/)
    .map((piece) => (/^\{\d\}$/.test(piece) ? `(?<v${piece[1]}>.+?)` : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 's');
}

/** Every form, as the calculator says it, beside its translation. */
function forms(): [string, string][] {
  return [
    // The parts of the window.
    ['System prompt', vscode.l10n.t('System prompt')],
    ['Built-in tools', vscode.l10n.t('Built-in tools')],
    ['Tools', vscode.l10n.t('Tools')],
    ['MCP tools', vscode.l10n.t('MCP tools')],
    ['Skills', vscode.l10n.t('Skills')],
    ['Agents', vscode.l10n.t('Agents')],
    ['Memory', vscode.l10n.t('Memory')],
    ['Documents', vscode.l10n.t('Documents')],
    ['Summary', vscode.l10n.t('Summary')],
    ['User', vscode.l10n.t('User')],
    ['Assistant', vscode.l10n.t('Assistant')],
    ['Tool calls', vscode.l10n.t('Tool calls')],
    ['Tool results', vscode.l10n.t('Tool results')],
    ['Reasoning', vscode.l10n.t('Reasoning')],
    ['Media', vscode.l10n.t('Media')],
    ['Messages', vscode.l10n.t('Messages')],
    ['System prompt and tools', vscode.l10n.t('System prompt and tools')],
    ['Not in the transcript', vscode.l10n.t('Not in the transcript')],
    ['Not in the transcript, with tool results', vscode.l10n.t('Not in the transcript, with tool results')],
    ['Not in the transcript, with a message', vscode.l10n.t('Not in the transcript, with a message')],
    ['Not in the transcript, at a resume', vscode.l10n.t('Not in the transcript, at a resume')],
    ['Not in the transcript, after a compaction', vscode.l10n.t('Not in the transcript, after a compaction')],
    ['Not in the transcript, before it began', vscode.l10n.t('Not in the transcript, before it began')],
    ['Not in the transcript: {0}', vscode.l10n.t('Not in the transcript: {0}')],
    // Advice.
    ['Compact the conversation', vscode.l10n.t('Compact the conversation')],
    ['Drop old tool results', vscode.l10n.t('Drop old tool results')],
    ['Clear results that were read and acted upon.', vscode.l10n.t('Clear results that were read and acted upon.')],
    ['Drop images and files', vscode.l10n.t('Drop images and files')],
    ['Take attachments out of the history.', vscode.l10n.t('Take attachments out of the history.')],
    ['Attach fewer documents', vscode.l10n.t('Attach fewer documents')],
    ['They are sent again with every turn.', vscode.l10n.t('They are sent again with every turn.')],
    ['Disable tool servers that are not used', vscode.l10n.t('Disable tool servers that are not used')],
    ['Their definitions are in every request.', vscode.l10n.t('Their definitions are in every request.')],
    ['Shorten memory files', vscode.l10n.t('Shorten memory files')],
    ['They are in every request.', vscode.l10n.t('They are in every request.')],
    ['Disable skills that are not used', vscode.l10n.t('Disable skills that are not used')],
    ['Their descriptions are in every request.', vscode.l10n.t('Their descriptions are in every request.')],
    ['Remove agent definitions that are not used', vscode.l10n.t('Remove agent definitions that are not used')],
    ['Start a new session', vscode.l10n.t('Start a new session')],
    [
      'Ask for a hand-over note first, and begin the new session with it.',
      vscode.l10n.t('Ask for a hand-over note first, and begin the new session with it.'),
    ],
    [
      'Summarise the conversation and go on from the summary.',
      vscode.l10n.t('Summarise the conversation and go on from the summary.'),
    ],
    // Parts with more in their names, what is odd, servers, and prompt files.
    ['{0}, as in {1}', vscode.l10n.t('{0}, as in {1}')],
    ['System prompt, of this workspace', vscode.l10n.t('System prompt, of this workspace')],
    ['Workflow', vscode.l10n.t('Workflow')],
    ['Skills, inside the conversation', vscode.l10n.t('Skills, inside the conversation')],
    ['MCP and other tools, not recorded', vscode.l10n.t('MCP and other tools, not recorded')],
    ['Memory, skills and others, not recorded', vscode.l10n.t('Memory, skills and others, not recorded')],
    ['Memory files, not recorded', vscode.l10n.t('Memory files, not recorded')],
    ['Memory files and git status, not recorded', vscode.l10n.t('Memory files and git status, not recorded')],
    ['Tools, not recorded', vscode.l10n.t('Tools, not recorded')],
    ['Summary, not recorded', vscode.l10n.t('Summary, not recorded')],
    ['Memory files', vscode.l10n.t('Memory files')],
    ['Custom agents', vscode.l10n.t('Custom agents')],
    ['MCP instructions', vscode.l10n.t('MCP instructions')],
    ['Base instructions', vscode.l10n.t('Base instructions')],
    ['Developer instructions', vscode.l10n.t('Developer instructions')],
    [
      'reminders, and files that were changed or came with a folder',
      vscode.l10n.t('reminders, and files that were changed or came with a folder'),
    ],
    [
      'files, commands and reminders that came with a message',
      vscode.l10n.t('files, commands and reminders that came with a message'),
    ],
    ['what was put back at a resume', vscode.l10n.t('what was put back at a resume')],
    ['what was put back after a compaction', vscode.l10n.t('what was put back after a compaction')],
    [
      'Estimated rows were scaled to {0} % so that they fit the measured total.',
      vscode.l10n.t('Estimated rows were scaled to {0} % so that they fit the measured total.'),
    ],
    [
      'The conversation has more items than are kept; the newest ones are not itemised.',
      vscode.l10n.t('The conversation has more items than are kept; the newest ones are not itemised.'),
    ],
    [
      'A sum over several requests was refused as occupancy: it says what was spent, not what is in the window.',
      vscode.l10n.t(
        'A sum over several requests was refused as occupancy: it says what was spent, not what is in the window.',
      ),
    ],
    [
      'A usage does not say how long the prompt was; the last measured prompt stays.',
      vscode.l10n.t('A usage does not say how long the prompt was; the last measured prompt stays.'),
    ],
    [
      'The transcript tells more of what surrounds the conversation than was measured; its rows are scaled to fit.',
      vscode.l10n.t(
        'The transcript tells more of what surrounds the conversation than was measured; its rows are scaled to fit.',
      ),
    ],
    [
      'The memory files, skills and agents on disk are more than was measured, so they are not those of this session; what it held of them is not known.',
      vscode.l10n.t(
        'The memory files, skills and agents on disk are more than was measured, so they are not those of this session; what it held of them is not known.',
      ),
    ],
    [
      'Two programs write into this transcript; the answers of the one that went on elsewhere are shown as a conversation of their own.',
      vscode.l10n.t(
        'Two programs write into this transcript; the answers of the one that went on elsewhere are shown as a conversation of their own.',
      ),
    ],
    [
      'Of a request with several iterations the last one says what is in the window.',
      vscode.l10n.t('Of a request with several iterations the last one says what is in the window.'),
    ],
    ['the first request held more than was told', vscode.l10n.t('the first request held more than was told')],
    ['the first request held less than was told', vscode.l10n.t('the first request held less than was told')],
    ['the model has changed', vscode.l10n.t('the model has changed')],
    ['{0}, switch off with {1}', vscode.l10n.t('{0}, switch off with {1}')],
    ['{0}, ~{1} in every request', vscode.l10n.t('{0}, ~{1} in every request')],
    ['{0}, {1} in every request', vscode.l10n.t('{0}, {1} in every request')],
    ['{0}, loaded when asked for', vscode.l10n.t('{0}, loaded when asked for')],
    ['{0}, their size is not known', vscode.l10n.t('{0}, their size is not known')],
    ['{0}, none called', vscode.l10n.t('{0}, none called')],
    ['{0}, {1} never called', vscode.l10n.t('{0}, {1} never called')],
    ['{0}, configured and not called', vscode.l10n.t('{0}, configured and not called')],
    ['1 tool of {0}', vscode.l10n.t('1 tool of {0}')],
    ['{0} tools of {1}', vscode.l10n.t('{0} tools of {1}')],
    ['{0}, 1 tool called', vscode.l10n.t('{0}, 1 tool called')],
    ['{0}, {1} tools called', vscode.l10n.t('{0}, {1} tools called')],
    [
      'No session belongs to {0}. An agent that has not been used here leaves none; ctx-lsp sessions lists those of other folders.',
      vscode.l10n.t(
        'No session belongs to {0}. An agent that has not been used here leaves none; ctx-lsp sessions lists those of other folders.',
      ),
    ],
    ['{0} · {1} of {2}', vscode.l10n.t('{0} · {1} of {2}')],
    ['{0} tokens in every request', vscode.l10n.t('{0} tokens in every request')],
    ['{0} tokens on demand', vscode.l10n.t('{0} tokens on demand')],
    ['{0} tokens loaded for {1}', vscode.l10n.t('{0} tokens loaded for {1}')],
    ['{0} tokens in every request ({1})', vscode.l10n.t('{0} tokens in every request ({1})')],
    ['{0} tokens on demand ({1})', vscode.l10n.t('{0} tokens on demand ({1})')],
    ['{0} tokens loaded for {1} ({2})', vscode.l10n.t('{0} tokens loaded for {1} ({2})')],
    ['{0} here, {1} imported', vscode.l10n.t('{0} here, {1} imported')],
    ['{0} always', vscode.l10n.t('{0} always')],
    ['{0} tokens in this section', vscode.l10n.t('{0} tokens in this section')],
    [
      '{0} tokens in this section, {1} of them before the next heading',
      vscode.l10n.t('{0} tokens in this section, {1} of them before the next heading'),
    ],
    ['{0} tokens by {1}', vscode.l10n.t('{0} tokens by {1}')],
    ['There is no file {0}.', vscode.l10n.t('There is no file {0}.')],
    ['{0} is imported already; it is counted once.', vscode.l10n.t('{0} is imported already; it is counted once.')],
    [
      'The frontmatter has no closing ---; agents read it as text.',
      vscode.l10n.t('The frontmatter has no closing ---; agents read it as text.'),
    ],
    [
      '{0} tokens in every request; the budget is {1}.',
      vscode.l10n.t('{0} tokens in every request; the budget is {1}.'),
    ],
    [
      '{0} tokens in every request, {1} of them imported; the budget is {2}.',
      vscode.l10n.t('{0} tokens in every request, {1} of them imported; the budget is {2}.'),
    ],
    [
      '{0} tokens when it is loaded; the budget is {1}.',
      vscode.l10n.t('{0} tokens when it is loaded; the budget is {1}.'),
    ],
    [
      '{0} tokens when it is loaded, {1} of them imported; the budget is {2}.',
      vscode.l10n.t('{0} tokens when it is loaded, {1} of them imported; the budget is {2}.'),
    ],
    ['{0} The heaviest import is {1} with {2}.', vscode.l10n.t('{0} The heaviest import is {1} with {2}.')],
    ['{0} The heaviest section is "{1}" with {2}.', vscode.l10n.t('{0} The heaviest section is "{1}" with {2}.')],
    // Troubles.
    [
      'No ctx-lsp program was found: not in this package of the extension, not on the PATH. The sessions of agents on this machine cannot be followed without it; prompt files are counted all the same.',
      vscode.l10n.t(
        'No ctx-lsp program was found: not in this package of the extension, not on the PATH. The sessions of agents on this machine cannot be followed without it; prompt files are counted all the same.',
      ),
    ],
    [
      '{0} (from the {1}) does not exist. Correct the path, or clear it to use the daemon of the extension.',
      vscode.l10n.t(
        '{0} (from the {1}) does not exist. Correct the path, or clear it to use the daemon of the extension.',
      ),
    ],
    [
      '{0} (from the {1}) may not be run: it lacks the permission to execute.',
      vscode.l10n.t('{0} (from the {1}) may not be run: it lacks the permission to execute.'),
    ],
    [
      '{0} (from the {1}) speaks {2}; this extension needs {3}. Update the older of the two.',
      vscode.l10n.t('{0} (from the {1}) speaks {2}; this extension needs {3}. Update the older of the two.'),
    ],
    [
      '{0} It was started again several times and ended each time; “Ctx: Restart the Daemon” tries once more.',
      vscode.l10n.t(
        '{0} It was started again several times and ended each time; “Ctx: Restart the Daemon” tries once more.',
      ),
    ],
    ['The daemon ended by itself.', vscode.l10n.t('The daemon ended by itself.')],
    ['The daemon ended while it started: {0}', vscode.l10n.t('The daemon ended while it started: {0}')],
    [
      'The setting {0} is {1} but must be {2}; {3} is used.',
      vscode.l10n.t('The setting {0} is {1} but must be {2}; {3} is used.'),
    ],
    [
      'Exact counts for {0}: {1} from {2} (licence {3}).',
      vscode.l10n.t('Exact counts for {0}: {1} from {2} (licence {3}).'),
    ],
  ];
}
