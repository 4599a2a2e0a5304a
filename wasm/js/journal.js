// Copyright The ctx-lsp authors. MIT licence.

// The data that a host keeps about a session so that the session outlives its engine: the module may crash, the daemon
// may be restarted, and a host may switch from one to the other. The section "When the engine is lost" of
// docs/protocol.md describes what is kept and why.
//
//     const journal = new Journal({ id: 'chat', model: 'gpt-5.5' })
//     const call = (method, params) => core.call(method, params)
//     await journal.tell(call)
//     await journal.change(call, 'ctx/session/update', { append: [{ kind: 'user', text: 'Hello' }] })
//     core = await load(module) // the first one has crashed
//     const reading = await journal.tell(call)

/** Calls with fewer characters in total are kept without saving a ledger. */
const light = 16 * 1024;

export class Journal {
  id;
  #open;
  #ledger;
  #ledgerWeight = 0;
  /** Whether an engine has refused the ledger, so that the calls that it contained are lost. */
  #lost = false;
  /** The calls since the ledger, or since the session was opened, in order. */
  #calls = [];
  #weight = 0;
  /** Whether an engine has had this session. If an engine already has it then, it has an earlier state of it. */
  #begun = false;

  /** Creates a journal of a session that begins with these parameters of ctx/session/open, including its id. */
  constructor(open) {
    this.id = open.id;
    this.#open = open;
  }

  /** Returns a journal of a session that continues from a ledger. */
  static from(id, ledger) {
    const journal = new Journal({ id });
    journal.#keep(ledger);
    return journal;
  }

  /** The number of calls since the last ledger. */
  get unsaved() {
    return this.#calls.length;
  }

  /** Whether the calls are as long as the ledger, so that saving costs no more than they did. */
  get heavy() {
    return this.#weight >= Math.max(light, this.#ledgerWeight);
  }

  /**
   * Sends the session to an engine that does not have it, or has an earlier state of it: its beginning, then the calls
   * since. Resolves to the last Reading.
   */
  async tell(call) {
    let reading = await this.#begin(call);
    for (const { method, text } of [...this.#calls]) reading = await call(method, JSON.parse(text));
    return reading;
  }

  /**
   * Makes a call that changes the session, and keeps it unless it fails: a refused call has changed nothing. `recover`
   * is called after a failure. It may wait for another engine and resolve to the result of `tell`, which repeats this
   * call; if it rejects, the call is not kept.
   */
  async change(call, method, params, recover) {
    const whole = { ...params, id: this.id };
    // Stored as a string, because the caller may change its objects later: a usage grows while its answer streams.
    const made = { method, text: JSON.stringify(whole) };
    this.#calls.push(made);
    this.#weight += made.text.length;
    try {
      return await call(method, whole);
    } catch (error) {
      try {
        if (!recover) throw error;
        return await recover(error);
      } catch (failure) {
        this.#forget((c) => c === made);
        throw failure;
      }
    }
  }

  /** Adds items or messages to the end of the conversation. */
  append(call, ...items) {
    return this.change(call, 'ctx/session/update', { append: items });
  }

  /** Removes the last call, which must not be part of a ledger yet. The session must then be sent again. */
  takeBack() {
    const last = this.#calls.at(-1);
    if (!last) throw new Error(`No call of the session ${this.id} can be taken back: its ledger holds all of them.`);
    this.#forget((c) => c === last);
  }

  /** Saves the ledger, and drops the calls that it contains. Resolves to the ledger. */
  async save(call) {
    const held = new Set(this.#calls);
    const { ledger } = await call('ctx/session/save', { id: this.id });
    this.#keep(ledger);
    this.#forget((c) => held.has(c));
    return ledger;
  }

  async #begin(call) {
    const { parent, shared } = this.#open;
    const begin = () =>
      this.#ledger === undefined
        ? call('ctx/session/open', { ...this.#open, ...(this.#lost && { setAside: true }) })
        : call('ctx/session/restore', {
            id: this.id,
            ledger: this.#ledger,
            ...(parent !== undefined && { parent }),
            ...(shared !== undefined && { shared }),
          });
    let reading;
    try {
      reading = await begin();
    } catch (error) {
      const kind = error?.kind ?? error?.data?.kind;
      if (!this.#begun || (kind !== 'session_exists' && kind !== 'bad_ledger')) throw error;
      if (kind === 'bad_ledger') {
        // The session begins as it did at first, and its Readings say that a part of its past is unknown.
        this.#ledger = undefined;
        this.#ledgerWeight = 0;
        this.#lost = true;
        return this.#begin(call);
      }
      // The engine has an earlier state of this session.
      await call('ctx/session/close', { id: this.id });
      reading = await begin();
    }
    this.#begun = true;
    return reading;
  }

  #keep(ledger) {
    this.#ledger = ledger;
    this.#lost = false;
    this.#ledgerWeight = JSON.stringify(ledger).length;
  }

  #forget(which) {
    this.#calls = this.#calls.filter((c) => !which(c));
    this.#weight = this.#calls.reduce((sum, c) => sum + c.text.length, 0);
  }
}
