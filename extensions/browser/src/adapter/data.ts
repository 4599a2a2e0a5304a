// Copyright The ctx-lsp authors. MIT licence.

/**
 * Selectors of one thing, in the order in which they are tried. What a page may hold several of (turns, messages,
 * files) is what any of them finds; what it holds one of (the field, the model's name) is what the first of them finds.
 */
export type Selectors = readonly string[];

/** Where a number or a name stands: in an attribute, or in the text, of the first element that is found. */
export interface Place {
  at: Selectors;
  /** The attribute; without one, the text. */
  attribute?: string;
}

/**
 * What a chat site's pages look like and what its server answers, as plain data: everything in it can be replaced by an
 * imported file, so that a page that has changed needs no new version of the extension. `adapter.ts` reads pages by it.
 */
export interface SiteData {
  id: string;
  name: string;
  /** The provider of the models that answer here, as the registry spells it; empty if the page does not say. */
  provider: string;
  hosts: readonly string[];
  /** Whether the user pointed at the page, so that what its server reports is believed. */
  pointed?: boolean;
  /** Whether conversations are named behind the # of an address, and not by its path. */
  inHash?: boolean;
  /** Patterns of paths, whose first group is the conversation's id. */
  conversation: readonly string[];
  /** Patterns of paths on which a conversation begins that has no id yet. */
  fresh: readonly string[];
  /** Attributes by which messages are found. A change of one of them is a change of the page. */
  attributes: readonly string[];

  /** The places that hold a message each, or several. A site may have none. */
  turn: Selectors;
  /** Places that are kept for turns which are not in the page at present. */
  shell: Selectors;
  /** Keys that a shell has although it stands for no message, as patterns. */
  noShell: readonly string[];
  /** Attributes of a turn, or of what is around or in it, whose value stays the turn's own wherever it is shown. */
  key: readonly string[];
  /** A pattern whose first group is the key, where there is more in the attribute. */
  keyPart?: string;
  /** Whether that key is also the message's own on the server, and where messages have theirs. */
  keyIsId: boolean;
  messageKey: readonly string[];
  /** Where a turn says which one it is: an attribute, and the pattern of its number. The first turn is `first`. */
  position: readonly Position[];
  /** Where the page says how many turns there are. */
  total: readonly Total[];
  /** How many turns the page loads at first; so many, and no sign of an earlier one, may be only the last of them. */
  loadsAtOnce?: number;
  /** Whether the page holds every turn of its conversation, as its own source says. */
  holdsAll?: boolean;

  message: Selectors;
  /** Which of the messages are the person's, and which are results of tools. All others are answers. */
  user: Selectors;
  tool: Selectors;
  /** The role of a turn that holds no message: an attribute of the turn and its values. */
  role?: { attribute: string; user: string; assistant: string };
  /** Where in a message its text is, if not everywhere. */
  body: Selectors;
  /** What is in a message without being its text. */
  drop: Selectors;
  /** Paragraphs that were a line each, and no paragraph, as they were written. */
  lines: Selectors;
  /** What the site adds to the addresses of links, as patterns. */
  tracking: readonly string[];
  /** Unfolded reasoning in a message. It is not counted from the page, but from responses of the server. */
  thinking: Selectors;
  /** Files whose content the page does not show. */
  files: Selectors;
  /** Images that were generated, and reports: things that are no text, in turns that may hold nothing else. */
  pictures: Selectors;
  reports: Selectors;

  /** The field in which the person types. */
  draft: Selectors;
  /** The row of controls around the field, which the badge does not cover. */
  composer: Selectors;
  /** The button that sends, at which a message that is too long is told before it is sent. */
  send: Selectors;
  /** Where the page's own theme stands. `dark` is a pattern of its value. */
  theme: readonly (Place & { dark: string })[];
  model: ModelData;
  /** The ways of answering on which the model or the window depends; null if there is one only. */
  modes: Modes | null;

  answers: readonly Endpoint[];
  plans: Plans | null;
  /** What happens when the window is full. */
  end: 'drops' | 'summarises' | 'refuses' | 'unknown';
  /** The hidden part of every prompt: instructions, tools, memory. */
  unseen: Unseen | null;
  /**
   * For so many minutes after an answer the site keeps the prompt, and the next one counts less against its limits: the
   * least and the most that is said, where the site itself publishes nothing.
   */
  cacheMinutes?: { least: number; most: number };
}

export interface Position {
  attribute: string;
  pattern: string;
  /** The number of the first turn, and the largest that may be the first, where pages differ. */
  first: number;
  firstAtMost?: number;
}

/** The number in an attribute of any turn; `pattern` has it as its first group. */
export interface Total {
  attribute: string;
  pattern: string;
}

export interface ModelData {
  /** The model's own id, on each answer. */
  slug: readonly Place[];
  /** Where the chosen model is named. It counts at once, before an answer comes from it. */
  chosen: readonly Place[];
  /** Which model a name on the page is, and which one an id of the site's server. */
  names: readonly Naming[];
  ids: readonly Naming[];
  /** The model that is assumed if the page names none. */
  otherwise?: string;
}

/** Turns a name into an id of the registry. The first with a matching pattern applies. */
export interface Naming {
  pattern: string;
  /** The id in small letters, with the pattern's groups as $1 to $9; blanks in it become hyphens. */
  model: string;
}

export interface Modes {
  /** Where the chosen mode is named, in the order in which they are asked. */
  places: readonly ModePlace[];
  /** The modes; the first with a matching pattern applies. */
  list: readonly Mode[];
  /** Patterns of texts at these places that name no mode. */
  none: readonly string[];
}

export interface ModePlace extends Place {
  /** Whether the value is an id of the site's server, on each answer. */
  raw?: boolean;
  /** Whether a text there that is not known may name a mode. */
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

/** An answer of the site's own server. The page asks for it; the extension only sees it pass. */
export interface Endpoint {
  /** A pattern of path and query. A group named `id` is the conversation. */
  path: string;
  method: 'GET' | 'POST';
  /** Where the address does not name the conversation: a pattern of the request, with the group `id`. */
  idIn?: string;
  /** Whether the conversation is the one in the page's address at the time when it asked, as nothing else names it. */
  ofPage?: boolean;
  /** Whether the server may be at another address than the page. */
  anywhere?: boolean;
  /** How it is read: the name of a file in traffic/shapes. */
  reads: string;
  carries: readonly Carries[];
}

/** What may be believed of an answer: nothing that is not named here. */
export type Carries = 'conversation' | 'answer' | 'usage' | 'refusal' | 'limits' | 'models' | 'plan';

/** What the site's plans give, as of a day, and who says so. */
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
  /** Names of the plan in the site's own answers. */
  told: readonly string[];
}

export interface Unseen {
  asOf: string;
  sources: readonly string[];
  /** The first with a matching pattern applies. */
  sizes: readonly UnseenSize[];
}

/** Sizes of what no page shows, in tokens. */
export interface UnseenSize {
  /** A pattern of the mode's id or the model's. */
  model: string;
  /** The part that is always sent; 0 if unknown. */
  least: number;
  usual: number;
  /** The largest that was published, with everything that a user may switch on; null if no source says. */
  most: number | null;
}
