// Copyright The ctx-lsp authors. MIT licence.

/**
 * Selectors of one thing, in the order in which they are tried. For things that a page may contain several of (turns,
 * messages, files), all matches are used; for things that it contains once (the field, the model's name), only the
 * first.
 */
export type Selectors = readonly string[];

/** The location of a number or a name: an attribute, or the text, of the first element found. */
export interface Place {
  at: Selectors;
  /** The attribute; if undefined, the text is used. */
  attribute?: string;
}

/**
 * What a chat site's pages look like and what its server returns, as plain data. An imported file can replace any of
 * it, so that a changed page does not require a new version of the extension. `adapter.ts` uses it to read pages.
 */
export interface SiteData {
  id: string;
  name: string;
  /** The provider of the models on this site, as the registry spells it; empty if the page does not show it. */
  provider: string;
  hosts: readonly string[];
  /** Whether the user pointed at the page, so that its server's reports are trusted. */
  pointed?: boolean;
  /** Whether the conversation's id is in the fragment of the address (after the #) instead of its path. */
  inHash?: boolean;
  /** Patterns of paths; the first group is the conversation's id. */
  conversation: readonly string[];
  /** Patterns of paths for new conversations that have no id yet. */
  fresh: readonly string[];
  /** Attributes that identify messages. A change to one of them counts as a change of the page. */
  attributes: readonly string[];

  /** Elements that contain one or more messages each. A site may have none. */
  turn: Selectors;
  /** Placeholders for turns that are not in the page at present. */
  shell: Selectors;
  /** Patterns of keys that shells have although they do not represent a message. */
  noShell: readonly string[];
  /**
   * Attributes of a turn, or of an element around or in it, with a value that identifies the turn wherever it is shown.
   */
  key: readonly string[];
  /** A pattern with the key as its first group, if the attribute contains more than the key. */
  keyPart?: string;
  /**
   * Whether that key is also the message's id on the server; `messageKey` names the attributes with the ids of
   * messages.
   */
  keyIsId: boolean;
  messageKey: readonly string[];
  /** The position of a turn: an attribute, and the pattern of its number. The first turn is `first`. */
  position: readonly Position[];
  /** Attributes with the number of turns in the conversation. */
  total: readonly Total[];
  /**
   * How many turns the page loads at first. Exactly this many, without a sign of an earlier one, may be only the last
   * of them.
   */
  loadsAtOnce?: number;
  /** Whether the page contains every turn of its conversation, according to its source code. */
  holdsAll?: boolean;

  message: Selectors;
  /** Which messages are the user's, and which are results of tools. All others are answers. */
  user: Selectors;
  tool: Selectors;
  /** The role of a turn without messages: an attribute of the turn and its values. */
  role?: { attribute: string; user: string; assistant: string };
  /** The element with the text of a message, if it is not the whole message. */
  body: Selectors;
  /** Elements in a message that are not part of its text. */
  drop: Selectors;
  /** Paragraphs that were written as single lines. */
  lines: Selectors;
  /** Patterns of parameters that the site adds to the addresses of links. */
  tracking: readonly string[];
  /** Unfolded reasoning in a message. It is counted from responses of the server and not from the page. */
  thinking: Selectors;
  /** Files whose content the page does not show. */
  files: Selectors;
  /** Generated images, and reports: content other than text, in turns that may contain nothing else. */
  pictures: Selectors;
  reports: Selectors;

  /** The field that the user types in. */
  draft: Selectors;
  /** The row of controls around the field. The badge does not cover it. */
  composer: Selectors;
  /** The send button. A warning about a message that is too long appears next to it before sending. */
  send: Selectors;
  /** The location of the page's own theme. `dark` is a pattern of its value. */
  theme: readonly (Place & { dark: string })[];
  model: ModelData;
  /** The answering modes that the model or the window depends on; null if there is only one. */
  modes: Modes | null;

  answers: readonly Endpoint[];
  plans: Plans | null;
  /** What happens when the window is full. */
  end: 'drops' | 'summarises' | 'refuses' | 'unknown';
  /** The hidden part of every prompt: instructions, tools, memory. */
  unseen: Unseen | null;
  /**
   * How many minutes the site keeps the prompt after an answer, during which the next message uses less of its limits:
   * the lowest and the highest reported number, if the site itself publishes none.
   */
  cacheMinutes?: { least: number; most: number };
}

export interface Position {
  attribute: string;
  pattern: string;
  /** The number of the first turn, and the largest that it may have if pages differ. */
  first: number;
  firstAtMost?: number;
}

/** The number of turns, in an attribute of any turn; it is the first group of `pattern`. */
export interface Total {
  attribute: string;
  pattern: string;
}

export interface ModelData {
  /** The model's own id, which each answer has. */
  slug: readonly Place[];
  /** The location of the chosen model's name. It applies at once, before the model has answered. */
  chosen: readonly Place[];
  /** Maps names on the page (`names`) and ids of the site's server (`ids`) to models. */
  names: readonly Naming[];
  ids: readonly Naming[];
  /** The model that is assumed if the page names none. */
  otherwise?: string;
}

/** Turns a name into an id of the registry. The first with a matching pattern applies. */
export interface Naming {
  pattern: string;
  /** The id in lower case, with the pattern's groups as $1 to $9; spaces in it become hyphens. */
  model: string;
}

export interface Modes {
  /** Locations of the chosen mode's name, in the order in which they are tried. */
  places: readonly ModePlace[];
  /** The modes; the first with a matching pattern applies. */
  list: readonly Mode[];
  /** Patterns of texts at these places that do not name a mode. */
  none: readonly string[];
}

export interface ModePlace extends Place {
  /** Whether the value is an id of the site's server, which each answer has. */
  raw?: boolean;
  /** Whether an unknown text at this place may name a mode. */
  alone?: boolean;
}

export interface Mode {
  id: string;
  /** Patterns of its names on the page, in any language, and of its ids on the server. */
  texts: readonly string[];
  slugs: readonly string[];
  /** The model whose encoding is assumed if the page does not name one. */
  model?: string;
}

/** A response of the site's own server. The page requests it; the extension only observes it. */
export interface Endpoint {
  /** A pattern of path and query. A group named `id` is the conversation. */
  path: string;
  method: 'GET' | 'POST';
  /** If the address does not name the conversation: a pattern of the request, with the group `id`. */
  idIn?: string;
  /**
   * Whether the response belongs to the conversation in the page's address at request time, because nothing else
   * identifies it.
   */
  ofPage?: boolean;
  /** Whether the server may have an address other than the page's. */
  anywhere?: boolean;
  /** The file in traffic/shapes that reads it. */
  reads: string;
  carries: readonly Carries[];
}

/** The parts of a response that are trusted. Anything not named here is ignored. */
export type Carries = 'conversation' | 'answer' | 'usage' | 'refusal' | 'limits' | 'models' | 'plan';

/** The windows of the site's plans, as of a date, and the source. */
export interface Plans {
  asOf: string;
  source: string;
  list: readonly Plan[];
}

export interface Plan {
  id: string;
  name: string;
  /** The window in each mode, by the mode's id; `any` is for every mode without a window of its own. */
  windows: Readonly<Record<string, number>>;
  /** Names of the plan in the site's own responses. */
  told: readonly string[];
}

export interface Unseen {
  asOf: string;
  sources: readonly string[];
  /** The first with a matching pattern applies. */
  sizes: readonly UnseenSize[];
}

/** Sizes of the parts that no page shows, in tokens. */
export interface UnseenSize {
  /** A pattern of the mode's id or the model's. */
  model: string;
  /** The part that is always sent; 0 if unknown. */
  least: number;
  usual: number;
  /** The largest published size, with everything that a user may switch on; null if no source gives one. */
  most: number | null;
}
