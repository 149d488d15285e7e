// Made from the types of the contract by `cargo xtask schemas`; do not edit.

/** An ability of a card that can be activated. */
export type Ability = {
  id: string;
  name: string;
  slots?: Slot[];
  text?: string;
};

/** An account, as its owner sees it. */
export type AccountBody = {
  accountId: string;
  name?: string;
  nickname: string;
  /** `player` or `moderator`. */
  role: string;
  tokens: number;
};

/** An action players can take. */
export type Action = {
  /** A word for new players. */
  hint?: string;
  id: string;
  name: string;
  slots: Slot[];
  text?: string;
  /** `stack`, `instant` or `sorcery`. */
  timing: string;
  ui?: Json;
};

/** An action that can be taken now. */
export type ActionBody = {
  /** What can fill the first slot. */
  choices: Choice[];
  /** `3 mana`; null where it is free or depends on what is chosen. */
  cost: string | null;
  description: string;
  id: string;
  /** Whether more slots follow: `POST /matches/{id}/choices` gives what can fill them. */
  isLazy: boolean;
  name: string;
  /** What has to be chosen, by slot. */
  targets: { [key: string]: TargetBody };
  ui: Json | null;
};

/** Take an action, pass, or move cards by hand. */
export type ActionSubmit = {
  /** Of a move by hand: `move_card` or `reorder`. */
  action?: string | null;
  /** An action of the catalogue, `pass`, `end_turn` or `direct_manipulation`. */
  actionType: string;
  /** The version it was made for; refused with 409 if it is another now. */
  branchId?: number | null;
  /** Of a move by hand: the card. */
  cardId?: Ref | null;
  /** Of a move by hand: several cards. */
  cardIds?: Ref[] | null;
  /** What the client calls the command; the same again is carried out once. */
  commandId?: string | null;
  /** Of a move by hand: the zone the cards lie in. */
  from?: string | null;
  /** What the client notes about how the request came about, up to 4 KB; no rule sees it. */
  metadata?: Json | null;
  /** Must be the sender. */
  playerId?: string | null;
  /** What fills its slots, by their ids; those of an ability as `<slot>.<its slot>`. */
  targets?: { [key: string]: Ref[] };
  /** Of a move by hand: the zone they go to. */
  to?: string | null;
};

/** Take an action, pass, or move cards by hand. */
export type ActionSubmitMessage = {
  /** Of a move by hand: `move_card` or `reorder`. */
  action?: string | null;
  /** An action of the catalogue, `pass`, `end_turn` or `direct_manipulation`. */
  actionType: string;
  /** The version it was made for; refused with 409 if it is another now. */
  branchId?: number | null;
  /** Of a move by hand: the card. */
  cardId?: Ref | null;
  /** Of a move by hand: several cards. */
  cardIds?: Ref[] | null;
  /** What the client calls the command; the same again is carried out once. */
  commandId?: string | null;
  /** Of a move by hand: the zone the cards lie in. */
  from?: string | null;
  matchId: string;
  /** What the client notes about how the request came about, up to 4 KB; no rule sees it. */
  metadata?: Json | null;
  /** Must be the sender. */
  playerId?: string | null;
  /** What fills its slots, by their ids; those of an ability as `<slot>.<its slot>`. */
  targets?: { [key: string]: Ref[] };
  /** Of a move by hand: the zone they go to. */
  to?: string | null;
  type: "action.submit";
};

/** What the caller can do now. */
export type ActionsBody = {
  actions: ActionBody[];
  /** The version they are for. */
  branchId: number;
  /** The window they are for; absent while the caller may not act. */
  inputId?: string;
};

/** What is answered. */
export type Answers = {
  /** Short form: yes or no; yes with `targetId`. */
  activate?: boolean | null;
  /** Must be the sender. */
  actor?: string | null;
  /** Short form: yes or no. */
  confirm?: boolean | null;
  /** Not looked at. */
  isUserResponse?: boolean | null;
  /** Refs, `yes`, `no`, numbers, null for an empty place, or groups with what is picked in them; an empty list declines where nothing need be picked. Any JSON where the question is of free form. */
  selection?: Json | null;
  /** Short form: the only thing that is picked. */
  targetId?: Ref | null;
  /** Must be the title of the question. */
  title?: Scalar | null;
};

/** Where a zone is drawn. */
export type Area = "near" | "centre" | "side";

/** An attribute of the match, of players or of cards. */
export type Attribute = {
  /** `int`, `text`, `card`, `player` or `entity`. */
  holds: string;
  id: string;
  kind: AttributeKind;
  /** What its values are called, by the value. */
  labels?: { [key: string]: string };
  name: string;
  /** `game`, `player`, `card`. */
  on: string[];
  /** Where it stands among others. */
  order: number;
  show: Show;
  ui?: Json;
};

/** How an attribute is drawn. */
export type AttributeKind = "stat" | "counter" | "flag" | "cost" | "enum" | "link";

/** What moderators did to a match. */
export type AuditBody = {
  audit: AuditEntry[];
};

/** Something a moderator did. */
export type AuditEntry = {
  account: string;
  /** Milliseconds since 1970. */
  at: number;
  detail: string;
  verb: string;
};

/** An action that a move by hand could mean, as it would be asked for. */
export type Candidate = {
  actionType: string;
  targets: { [key: string]: Ref[] };
};

/** A card a viewer sees. What is absent is as printed, else the default of the attribute. */
export type Card = {
  /** All its abilities that can be activated, if they are not those printed. */
  abilities?: string[];
  /** What is seen of a hidden card. */
  back?: string;
  /** Absent if it is the owner. */
  controller?: string;
  /** Its definition in the catalogue. */
  def?: string;
  /** What is on it, where it has no definition. */
  face?: Face;
  /** All its keywords, if they are not those printed. */
  keywords?: string[];
  /** Attributes that hold a card or player: attached, blocking, attacking. */
  links?: { [key: string]: Ref };
  owner?: string;
  /** Values that are not as printed. */
  values?: { [key: string]: Scalar };
};

/** What never changes about a game. */
export type Catalogue = {
  actions: Action[];
  attributes: Attribute[];
  cards: Printed[];
  /** Decks that come with the game. */
  decks: Deck[];
  /** What kind of game it is. */
  description?: string;
  /** What players can say to each other. */
  emotes: string[];
  events: EventType[];
  /** The id of the game. */
  game: string;
  keywords: Term[];
  name: string;
  phases: Phase[];
  policy: Policy;
  /** Why a match can end by its rules. */
  reasons: string[];
  /** The hash of its mechanics. */
  rules: string;
  /** How many can play: the fewest, the most. */
  seats: [number, number];
  /** The hash of the texts of each other language, by its tag. */
  texts?: { [key: string]: string };
  /** Types of cards. */
  types: Term[];
  ui?: Json;
  zones: ZoneKind[];
};

/** Something that can be picked. */
export type Choice = {
  /** What must be picked inside, if it is a group. */
  choices?: Choice[];
  /** `2 mana`. */
  cost?: string;
  /** Cannot be picked together with anything else. */
  exclusive?: boolean;
  /** What an answer names it by; unique within its list. */
  id: Ref;
  max?: number;
  min?: number;
  /** For people. */
  title: string;
};

/** What can fill a slot. */
export type ChoicesPage = {
  branchId: number;
  choices?: Choice[];
  /** What the draft costs as it stands. */
  cost?: Cost;
  inputId: string;
  /** Whether the draft is legal as it stands. */
  isComplete: boolean;
  max: number;
  min: number;
  /** Where the next page begins; null on the last. */
  next: string | null;
  range?: [number, number, number];
  requestId?: string;
  /** The slot it is about; absent for a question, and where no slot is open. */
  slot?: string;
};

/** What can fill a slot: the answer to `choices.query`. */
export type ChoicesPageMessage = {
  branchId: number;
  choices?: Choice[];
  /** What the draft costs as it stands. */
  cost?: Cost;
  inputId: string;
  /** Whether the draft is legal as it stands. */
  isComplete: boolean;
  max: number;
  min: number;
  /** Where the next page begins; null on the last. */
  next: string | null;
  range?: [number, number, number];
  requestId?: string;
  /** The slot it is about; absent for a question, and where no slot is open. */
  slot?: string;
  type: "choices.page";
};

/** What can fill the next slot of a submit that is being prepared, or what else a question takes. */
export type ChoicesQuery = {
  /** Where the page begins: `next` of the one before. */
  after?: string | null;
  /** The group of a question to list. */
  at?: Ref | null;
  /** The version it is about; refused with 409 if it is another now. */
  branchId?: number | null;
  /** The submit as far as it is filled. */
  draft?: DraftBody;
  /** Part of the title. */
  find?: string | null;
  /** `i8`. */
  inputId: string;
  /** How many choices at most. */
  limit?: number | null;
  requestId?: string | null;
  /** The slot to list; the first open one without. */
  slot?: string | null;
};

/** What can fill the next slot of a submit. */
export type ChoicesQueryMessage = {
  /** Where the page begins: `next` of the one before. */
  after?: string | null;
  /** The group of a question to list. */
  at?: Ref | null;
  /** The version it is about; refused with 409 if it is another now. */
  branchId?: number | null;
  /** The submit as far as it is filled. */
  draft?: DraftBody;
  /** Part of the title. */
  find?: string | null;
  /** `i8`. */
  inputId: string;
  /** How many choices at most. */
  limit?: number | null;
  matchId: string;
  requestId?: string | null;
  /** The slot to list; the first open one without. */
  slot?: string | null;
  type: "choices.query";
};

/** What a client sends over /ws. */
export type ClientMessage = HelloMessage | MatchSubscribeMessage | MatchUnsubscribeMessage | ActionSubmitMessage | InputSubmitMessage | ChoicesQueryMessage | UndoSubmitMessage | TakebackSubmitMessage | SystemControlMessage | PingMessage;

/** Why a question is not open any more. */
export type Closed = "answered" | "timeout" | "gone";

/** What is a legal answer: to a question, or in a window. */
export type Constraints = {
  /** Of a window: what can be done, with what can fill the first slot. */
  actions?: Offer[];
  /** Of a window: whether `pass` is legal. */
  mayPass?: boolean;
  /** Of a question. */
  selector?: Selector;
};

/** What an action costs. */
export type Cost = {
  parts: CostPart[];
  /** `3 mana`. */
  text: string;
};

/** One thing that is paid: an amount of an attribute, or a card that goes to a zone. */
export type CostPart = {
  amount: number;
  attribute: string;
  of: Ref;
} | {
  card: Ref;
  to: string;
};

/** A match to create. */
export type CreateMatch = {
  /** The cards you bring; the ready-made deck without. */
  deck?: string[];
  /** The name of a game, or the hash of a ruleset. */
  game: string;
  /** Who plays, seat by seat: `me`, `open`, `bot:random`, `bot:greedy`. Without it: you, and open seats. */
  seats?: string[] | null;
  /** What all chance comes from; only where the server allows to choose it. */
  seed?: number | null;
  /** Whether others may watch. */
  spectators?: boolean;
};

/** Name and password. */
export type CredentialsBody = {
  /** 3 to 32 letters, digits or `-_.`. */
  name: string;
  /** What others call them; the name without. */
  nickname?: string | null;
  /** 8 to 128 bytes. */
  password: string;
};

/** A deck that comes with the game. */
export type Deck = {
  /** How many there are of each card. */
  cards: { [key: string]: number };
  id: string;
  name: string;
};

/** A submit as far as it is filled. */
export type DraftBody = {
  actionType?: string | null;
  /** What was picked so far from a question. */
  selection?: Pick[] | null;
  targets?: { [key: string]: Ref[] };
};

export type DuelConfirmOkMessage = {
  matchId: string;
  roundIndex: number;
  type: "confirm_ok";
};

export type DuelErrorMsgMessage = {
  code: string;
  message: string;
  type: "error_msg";
};

export type DuelHelloMessage = {
  token: string;
  type: "hello";
};

export type DuelHelloOkMessage = {
  accountId: string;
  nickname: string;
  tokens: number;
  type: "hello_ok";
};

export type DuelLayoutConfirmMessage = {
  layout: (string | null)[];
  matchId: string;
  type: "layout_confirm";
};

export type DuelLayoutDraftMessage = {
  layout: (string | null)[];
  matchId: string;
  type: "layout_draft";
};

export type DuelMatchEndMessage = {
  matchId: string;
  oppHp: number;
  pot: "paid" | "refunded" | "burned" | "none";
  reason: string;
  type: "match_end";
  winner: "YOU" | "OPPONENT" | null;
  yourHp: number;
  yourTokens: number;
};

export type DuelMatchFoundMessage = {
  matchId: string;
  oppHp: number;
  oppNickname: string;
  pot: number;
  type: "match_found";
  yourHand: string[];
  yourHp: number;
  yourNickname: string;
  yourTokens: number;
};

export type DuelPrepStartMessage = {
  cards: string[];
  /** Milliseconds since 1970. */
  deadlineTs: number | null;
  matchId: string;
  oppHp: number;
  oppNickname: string;
  pot: number;
  roundIndex: number;
  slots: number;
  suddenDeath: boolean;
  type: "prep_start";
  yourHand: string[];
  yourHp: number;
  yourNickname: string;
  yourTokens: number;
};

export type DuelPveStartMessage = {
  type: "pve_start";
};

export type DuelQueueJoinMessage = {
  type: "queue_join";
};

export type DuelQueueLeaveMessage = {
  type: "queue_leave";
};

export type DuelQueueLeftMessage = {
  type: "queue_left";
};

export type DuelQueueOkMessage = {
  tokens: number;
  type: "queue_ok";
};

export type DuelRoundEndMessage = {
  matchId: string;
  oppHp: number;
  roundIndex: number;
  suddenDeath: boolean;
  type: "round_end";
  yourHp: number;
};

export type DuelStepRevealMessage = {
  matchId: string;
  oppCard: string | null;
  oppHp: number;
  roundIndex: number;
  stepIndex: number;
  type: "step_reveal";
  yourCard: string | null;
  yourHp: number;
};

export type DuelSyncMessage = {
  type: "sync";
};

export type DuelSyncStateMessage = {
  confirmed?: (string | null)[] | null;
  /** Milliseconds since 1970. */
  deadlineTs?: number | null;
  draft?: (string | null)[] | null;
  earlierResults?: ({
    matchId?: string;
    oppHp?: number;
    pot?: "paid" | "refunded" | "burned" | "none";
    reason?: string;
    winner?: "YOU" | "OPPONENT" | null;
    yourHp?: number;
    yourTokens?: number;
  })[];
  lastResult?: {
    matchId?: string;
    oppHp?: number;
    pot?: "paid" | "refunded" | "burned" | "none";
    reason?: string;
    winner?: "YOU" | "OPPONENT" | null;
    yourHp?: number;
    yourTokens?: number;
  } | null;
  matchId?: string;
  oppHp?: number;
  oppNickname?: string;
  phase?: "IDLE" | "QUEUED" | "PREP" | "REVEAL";
  pot?: number;
  roundIndex?: number;
  slots?: number;
  steps?: ({
    oppCard?: string | null;
    oppHp?: number;
    stepIndex?: number;
    yourCard?: string | null;
    yourHp?: number;
  })[];
  suddenDeath?: boolean;
  type: "sync_state";
  yourHand?: string[];
  yourHp?: number;
  yourNickname?: string;
  yourTokens?: number;
};

/** Why a request was refused. Nothing was changed. */
export type ErrorBody = {
  /** What a move by hand could have meant. */
  candidates?: Candidate[];
  /** Stable; for programs. */
  code: string;
  /** On a socket: the command that is refused. */
  commandId?: string;
  /** The version of the match, if the request was made for another. */
  currentVersion?: number;
  /** What went wrong in a few words. */
  error: string;
  /** On a socket: the match the request was for. */
  matchId?: string;
  /** For people. */
  message: string;
  /** The place in the request, as a JSON pointer. */
  pointer?: string;
  /** Conditions that do not hold, in the ruleset's own words. */
  reasons?: ReasonBody[];
  /** On a socket: the query that is refused. */
  requestId?: string;
};

/** A request was refused; nothing changed. */
export type ErrorMessage = {
  /** What a move by hand could have meant. */
  candidates?: Candidate[];
  /** Stable; for programs. */
  code: string;
  /** On a socket: the command that is refused. */
  commandId?: string;
  /** The version of the match, if the request was made for another. */
  currentVersion?: number;
  /** What went wrong in a few words. */
  error: string;
  /** On a socket: the match the request was for. */
  matchId?: string;
  /** For people. */
  message: string;
  /** The place in the request, as a JSON pointer. */
  pointer?: string;
  /** Conditions that do not hold, in the ruleset's own words. */
  reasons?: ReasonBody[];
  /** On a socket: the query that is refused. */
  requestId?: string;
  type: "error";
};

/** Something that happened. */
export type Event = {
  /** The nearest earlier cause this viewer was told of; null where a chain begins. */
  causedBy: string | null;
  /** The atomic group it belongs to: all of one happen, or none. */
  groupId?: number;
  /** `ev118`, from its number. */
  id: string;
  /** Its fields, typed by the catalogue. */
  payload: { [key: string]: Payload };
  status: Status;
  type: string;
};

/** Something happened. */
export type EventAppended = {
  /** The seat whose command began the chain; only where `causedBy` is null. */
  by?: string;
  /** The definitions, or names, of the cards it names, as seen then. */
  cards?: { [key: string]: string };
  /** How a client shows it, in a word. */
  cue: string;
  /** The event whose stack row it ends. */
  ends?: string;
  event: Event;
  level: Level;
  matchId: string;
  /** The number of the event for this viewer, from 1, without gaps. */
  sequence: number;
  /** The event as a sentence. */
  text: string;
};

/** Something happened. */
export type EventAppendedMessage = {
  /** The seat whose command began the chain; only where `causedBy` is null. */
  by?: string;
  /** The definitions, or names, of the cards it names, as seen then. */
  cards?: { [key: string]: string };
  /** How a client shows it, in a word. */
  cue: string;
  /** The event whose stack row it ends. */
  ends?: string;
  event: Event;
  level: Level;
  matchId: string;
  /** The number of the event for this viewer, from 1, without gaps. */
  sequence: number;
  /** The event as a sentence. */
  text: string;
  type: "event.appended";
};

/** A type of events. */
export type EventType = {
  /** How a client shows it, in a word. */
  cue: string;
  /** Its fields and what they hold. */
  fields: { [key: string]: string };
  level: Level;
  /** The sentence players read, a template over the fields. */
  text: string;
  type: string;
  ui?: Json;
};

/** Events, as the caller saw them happen. */
export type EventsBody = {
  events: EventAppended[];
  /** The number of the last one there is. */
  sequence: number;
};

/** What is on a card that has no definition. */
export type Face = {
  name: string;
  values?: { [key: string]: Scalar };
};

/** How far a row has come. */
export type Flags = {
  /** Whether what reacts before it happens was put above it. */
  beforeScheduled: boolean;
};

/** A group and what is picked in it; or any choice as an object, as a short form. */
export type Group = {
  id?: Ref;
  selection?: Pick[];
  /** A short form of `id`. */
  title?: Scalar;
};

/** A guest to be. */
export type GuestBody = {
  /** What others call them. */
  nickname?: string | null;
};

/** The first message on a socket. */
export type HelloMessage = {
  /** The language of texts: `de`. */
  locale?: string | null;
  /** The version of the contract the client was written for: `1.0`. */
  protocol: string;
  /** The hash of the schema bundle it was generated from; another is no error. */
  schemaHash?: string | null;
  type: "hello";
};

/** A question that is not open any more. */
export type InputClosed = {
  inputId: string;
  matchId: string;
  why: Closed;
};

/** A question that is not open any more. */
export type InputClosedMessage = {
  inputId: string;
  matchId: string;
  type: "input.closed";
  why: Closed;
};

/** Answer a question. */
export type InputSubmit = {
  answers: Answers;
  /** The version it was made for; not looked at where others answer the same question. */
  branchId?: number | null;
  /** What the client calls the command; the same again is carried out once. */
  commandId?: string | null;
  /** `i7`. */
  inputId: string;
  /** Whether it may be replaced until the question closes. */
  isDraft?: boolean;
  /** Must be the sender. */
  playerId?: string | null;
};

/** Answer what you are asked. */
export type InputSubmitMessage = {
  answers: Answers;
  /** The version it was made for; not looked at where others answer the same question. */
  branchId?: number | null;
  /** What the client calls the command; the same again is carried out once. */
  commandId?: string | null;
  /** `i7`. */
  inputId: string;
  /** Whether it may be replaced until the question closes. */
  isDraft?: boolean;
  matchId: string;
  /** Must be the sender. */
  playerId?: string | null;
  type: "input.submit";
};

/** A seat to take. */
export type JoinMatch = {
  deck?: string[];
  /** `p1` for the first; any free one without. */
  seat?: string | null;
};

/** Any JSON with whole numbers. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How the cards of a zone are laid out. */
export type Layout = "fan" | "row" | "grid" | "slots" | "pile" | "list" | "none";

/** How closely one has to look to care about an event. */
export type Level = "story" | "detail" | "step";

/** What one client may do, and how large things are. */
export type Limits = {
  bodyBytes: number;
  frameBytes: number;
  matchesPerAccount: number;
  messagesPerSecond: number;
  metadataBytes: number;
  /** How many choices a page has at most. */
  pageChoices: number;
  requestsPerSecond: number;
  socketsPerAccount: number;
  ticketsPerAccount: number;
};

/** A match, as everybody sees it. */
export type MatchBody = {
  /** What `GET /catalogues/{hash}` gives. */
  catalogueHash: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  game: string;
  id: string;
  /** How it ended. */
  outcome?: Outcome;
  /** The hash of the rules. */
  rules: string;
  seats: SeatBody[];
  spectators: boolean;
  /** `open`, `live`, `over`, `void` or `damaged`. */
  status: string;
  updatedAt: number;
  /** The seat of whoever asks. */
  yourSeat?: string;
};

/** Follow a match, from an event on. */
export type MatchSubscribeMessage = {
  /** The last event the client knows of: what it missed follows. */
  after?: number | null;
  /** `p1` for the own seat, `spectator` or `judge`; the own seat without. */
  as?: string | null;
  matchId: string;
  /** Proves what the client was told. */
  receipt?: string | null;
  requestId?: string | null;
  type: "match.subscribe";
};

/** A match is followed from now on. */
export type MatchSubscribedMessage = {
  /** What `GET /catalogues/{hash}` gives. */
  catalogueHash: string;
  matchId: string;
  requestId?: string;
  /** The number of the last event there is. */
  sequence: number;
  type: "match.subscribed";
  /** `p1`, `spectator` or `judge`. */
  viewer: string;
};

/** Follow it no more. */
export type MatchUnsubscribeMessage = {
  matchId: string;
  requestId?: string | null;
  type: "match.unsubscribe";
};

/** Whose answer is needed. */
export type Need = "all" | "any";

/** An action that can be taken now. */
export type Offer = {
  /** What can fill the first slot that the catalogue names. */
  choices?: Choice[];
  /** What it costs, where that is the same whatever fills its slots. */
  cost?: string;
  /** Its `actionType`. */
  id: string;
  /** Whether more slots follow, or more choices than are listed: `choices.query` gives them. */
  isLazy?: boolean;
};

/** What happens when the time is up. */
export type OnTimeout = "pass" | "decline" | "default" | "first" | "random" | "concede";

/** Who asks to go back, if anybody does. */
export type OpenTakeback = {
  takeback: TakebackBody | null;
};

/** How a match ended. */
export type Outcome = {
  reason: string;
  /** Nobody in a tie. */
  winners: string[];
};

/** What can fill the first open slot of a submit that is being prepared, or the list a question offers. */
export type Page = {
  choices?: Choice[];
  /** What the draft costs as it stands. */
  cost?: Cost;
  /** Whether the draft is legal as it stands. */
  isComplete: boolean;
  max: number;
  min: number;
  /** Where the next page begins; null on the last. */
  next: string | null;
  range?: [number, number, number];
  /** The slot it is about; absent for a question, and where no slot is open. */
  slot?: string;
};

/** What can fill a slot, or what else a question takes. */
export type PageBody = {
  branchId: number;
  inputId: string;
  page: Page;
};

/** A field of an event: a truth value, a number, a name or Ref, or a list of these. */
export type Payload = boolean | number | string | Payload[];

/** A question or window that waits for an answer. */
export type PendingInput = {
  constraints: Constraints;
  /** The last draft. */
  draft?: Pick[];
  /** When the time is up, in milliseconds since 1970; null if there is time. */
  expiresAt: number | null;
  /** All who are publicly asked. */
  forPlayerIds: string[];
  /** `i7`: the seventh thing this seat is asked. */
  inputId: string;
  /** Whether others answer the same question, so that an answer is judged by its `inputId` alone. */
  isConcurrent: boolean;
  /** Whether drafts may be sent. */
  isRevisable?: boolean;
  /** How it is shown: `priority`, `target_select`, `order_select`, `mode_pick`, `pay_cost`, `confirm`, `number`, `text`, `layout` or `react`. */
  kind: string;
  need: Need;
  onTimeout: OnTimeout;
  prompt: Prompt;
  /** The card or row that asks. */
  source?: Ref;
};

/** A question to the player it is sent to. */
export type PendingInputMessage = {
  branchId: number;
  input: PendingInput;
  matchId: string;
  sequence: number;
  type: "pending.input";
};

/** A phase of a turn. */
export type Phase = {
  /** A word for new players. */
  hint?: string;
  id: string;
  name: string;
  steps: Step[];
  ui?: Json;
};

/** One thing of a selection, as a client sends it. */
export type Pick = null | number | string | Group;

/** Ask whether the server is there. */
export type PingMessage = {
  requestId?: string | null;
  type: "ping";
};

/** A player as everybody sees them. */
export type Player = {
  /** Whether they have left the match. */
  isOut?: boolean;
  /** Attributes that hold a card or player. */
  links?: { [key: string]: Ref };
  /** All attributes of players. */
  values?: { [key: string]: Scalar };
};

/** How the matches of a game are hosted. */
export type Policy = {
  /** How long a player may be gone, in milliseconds; absent for any time. */
  disconnectGraceMs?: number;
  /** What every player pays to play; absent for nothing. */
  entry?: number;
  /** Whether players may take back. */
  undo: boolean;
};

/** The answer to `ping`. */
export type Pong = {
  requestId?: string;
  /** Milliseconds since 1970. */
  serverTime: number;
};

/** The answer to `ping`. */
export type PongMessage = {
  requestId?: string;
  /** Milliseconds since 1970. */
  serverTime: number;
  type: "pong";
};

/** A definition of a card. */
export type Printed = {
  abilities?: Ability[];
  /** The hash of a picture. */
  art?: string;
  id: string;
  keywords?: string[];
  name: string;
  /** Values that are not the default. */
  printed?: { [key: string]: number };
  text?: string;
  /** Its type. */
  type?: string;
  ui?: Json;
};

/** Somebody else may act now. */
export type PriorityChanged = {
  branchId: number;
  /** When the time is up, in milliseconds since 1970; null if there is time. */
  expiresAt: number | null;
  matchId: string;
  sequence: number;
  /** As in the view; null if nobody may act. */
  window: Window | null;
};

/** Somebody else may act now. */
export type PriorityChangedMessage = {
  branchId: number;
  /** When the time is up, in milliseconds since 1970; null if there is time. */
  expiresAt: number | null;
  matchId: string;
  sequence: number;
  type: "priority.changed";
  /** As in the view; null if nobody may act. */
  window: Window | null;
};

/** How a question is put to a player. */
export type Prompt = {
  /** What is lit up beside the choices. */
  highlights?: Ref[];
  /** A word for new players. */
  hint?: string;
  /** What the player reads. */
  text: string;
  ui?: Json;
};

/** What a server speaks. */
export type ProtocolBody = {
  limits: Limits;
  protocol: string;
  /** The hash of the schema bundle. */
  schemaHash: string;
};

/** A ruleset to publish. */
export type PublishBody = {
  /** The documents by name, as text; `ruleset` is the one to begin with. They may include `std` and each other. */
  documents: { [key: string]: string };
};

/** A condition that does not hold. */
export type ReasonBody = {
  /** Whom it is about. */
  ref?: Ref;
  text: string;
};

/** A name: c12 a card by the viewer's own handle, h3 a hidden card, p2 a player, ev46 an event and its stack row, zone:, def:, ability:, mode:, action: or text: what ruleset or script names, yes, no, or a whole number. */
export type Ref = string | number;

/** A row of the stack. */
export type Row = {
  controller?: string;
  /** The number of that event. */
  createdAtOrder: number;
  flags: Flags;
  kind: RowKind;
  /** The event that opened it: `ev120`. */
  refId: string;
  /** The card it comes from, if the viewer sees it. */
  source?: string;
  /** What fills its slots. */
  targets?: { [key: string]: Ref[] };
  /** The event type that waits, or the ability or rule that reacts; `hidden` if the viewer may not know. */
  type: string;
};

/** What a row of the stack is. */
export type RowKind = "event" | "reaction";

/** A ruleset. */
export type RulesetBody = {
  /** What `GET /catalogues/{hash}` gives. */
  catalogueHash: string;
  /** As it was published. */
  documents?: { [key: string]: string };
  /** The hash of its rules: a match is created with it. */
  hash: string;
  id: string;
  /** Whether it is offered by name. */
  isOffered: boolean;
  name: string;
  /** How many can play. */
  seats: [number, number];
};

/** A value of the match, a player or a card: a whole number, a name or a Ref. */
export type Scalar = number | string;

/** A seat, as everybody sees it. */
export type SeatBody = {
  bot?: string;
  /** Whether somebody can still sit down here. */
  isOpen: boolean;
  nickname: string;
  /** `p1` for the first. */
  seat: string;
};

/** What can be picked, and how much of it. */
export type Selector = {
  /** Whether null may stand for an empty place. */
  blank?: boolean;
  choices?: Choice[];
  /** Whether there are more choices than are listed. */
  isLazy?: boolean;
  max: number;
  min: number;
  /** Where `choices.query` goes on. */
  next?: string;
  /** Whether the order of the selection counts. */
  ordered?: boolean;
  /** `[least, greatest, step]` instead of choices. */
  range?: [number, number, number];
  title: string;
  /** `action` for an answer of free form: any JSON up to 4 KB. */
  type?: SelectorType;
};

/** How a selector is answered. */
export type SelectorType = "action";

/** What a server sends over /ws. */
export type ServerMessage = WelcomeMessage | MatchSubscribedMessage | EventAppendedMessage | StateDeltaMessage | StateViewMessage | PendingInputMessage | InputClosedMessage | PriorityChangedMessage | ChoicesPageMessage | TakebackAskedMessage | TakebackEndedMessage | SuccessMessage | ErrorMessage | PongMessage;

/** When an attribute is drawn. */
export type Show = "always" | "nonzero" | "never";

/** Somebody who signed in. */
export type SignedIn = {
  accountId: string;
  name?: string;
  nickname: string;
  /** `player` or `moderator`. */
  role: string;
  /** Keep it secret; send it as `Authorization: Bearer <token>`. */
  token: string;
  tokens: number;
};

/** Something that an action or ability needs to be filled. */
export type Slot = {
  id: string;
  max: number;
  min: number;
  /** The ways a slot of modes offers. */
  modes?: Term[];
  /** What fills it: `card`, `player`, `entity`, `ability`, `mode`, `int`, `event`. */
  takes: string;
};

/** The table changed. */
export type StateDelta = {
  branchId: number;
  matchId: string;
  /** An RFC 7396 merge patch of the view. */
  patch: Json;
  /** The number of the last event it covers. */
  sequence: number;
  /** The hash of the view after it; a client that gets another subscribes again. */
  viewHash: string;
};

/** The table changed. */
export type StateDeltaMessage = {
  branchId: number;
  matchId: string;
  /** An RFC 7396 merge patch of the view. */
  patch: Json;
  /** The number of the last event it covers. */
  sequence: number;
  type: "state.delta";
  /** The hash of the view after it; a client that gets another subscribes again. */
  viewHash: string;
};

/** The table as it is. */
export type StateView = {
  matchId: string;
  /** Proves what its holder was told. */
  receipt: string;
  sequence: number;
  view: View;
  /** The hash of the sorted list of leaf hashes: of every card, zone, player and other key by itself, each the SHA-256 of the RFC 8785 form of `[key, value]` or `[key, id, value]`. */
  viewHash: string;
};

/** The table as it is. */
export type StateViewMessage = {
  matchId: string;
  /** Proves what its holder was told. */
  receipt: string;
  sequence: number;
  type: "state.view";
  view: View;
  /** The hash of the sorted list of leaf hashes: of every card, zone, player and other key by itself, each the SHA-256 of the RFC 8785 form of `[key, value]` or `[key, id, value]`. */
  viewHash: string;
};

/** What became of an event. */
export type Status = "pending" | "applied" | "prevented" | "failed";

/** A step of a phase. */
export type Step = {
  /** Whether players may act in it. */
  hasWindow: boolean;
  /** A word for new players. */
  hint?: string;
  id: string;
  name: string;
  ui?: Json;
};

/** A match is followed from now on. */
export type Subscribed = {
  /** What `GET /catalogues/{hash}` gives. */
  catalogueHash: string;
  matchId: string;
  requestId?: string;
  /** The number of the last event there is. */
  sequence: number;
  /** `p1`, `spectator` or `judge`. */
  viewer: string;
};

/** A command was carried out, and what it led to is stored. */
export type SuccessBody = {
  /** The version of the match after it. */
  branchId: number;
  /** On a socket: what the client called the command. */
  commandId?: string;
  /** On a socket: the match. */
  matchId?: string;
  /** Whether the match went on; not if others must answer too. */
  moved: boolean;
  /** Proves what the sender was told, should the server ever lose it. */
  receipt: string;
  /** Whether it had been carried out before, under the same `commandId`. */
  repeated?: boolean;
  /** The number of the last event the sender was told of. */
  sequence: number;
  /** Always true. */
  success: boolean;
};

/** A command was carried out, and what it led to is stored. */
export type SuccessMessage = {
  /** The version of the match after it. */
  branchId: number;
  /** On a socket: what the client called the command. */
  commandId?: string;
  /** On a socket: the match. */
  matchId?: string;
  /** Whether the match went on; not if others must answer too. */
  moved: boolean;
  /** Proves what the sender was told, should the server ever lose it. */
  receipt: string;
  /** Whether it had been carried out before, under the same `commandId`. */
  repeated?: boolean;
  /** The number of the last event the sender was told of. */
  sequence: number;
  /** Always true. */
  success: boolean;
  type: "success";
};

/** Concede; or what a moderator does to a match. */
export type SystemControl = {
  branchId?: number | null;
  commandId?: string | null;
  /** The question whose time is up, as its player calls it: `i7`. */
  inputId?: string | null;
  /** The row of the stack that is dropped: `ev12`. */
  item?: Ref | null;
  /** Whom it is about. */
  player?: string | null;
  verb: Verb;
  /** Those who win. */
  winners?: string[] | null;
};

/** Concede; or a moderator's verb. */
export type SystemControlMessage = {
  branchId?: number | null;
  commandId?: string | null;
  /** The question whose time is up, as its player calls it: `i7`. */
  inputId?: string | null;
  /** The row of the stack that is dropped: `ev12`. */
  item?: Ref | null;
  matchId: string;
  /** Whom it is about. */
  player?: string | null;
  type: "system.control";
  verb: Verb;
  /** Those who win. */
  winners?: string[] | null;
};

/** What is sent as `takeback.submit`, or to `POST /matches/{id}/takeback`. */
export type TakebackAnswer = {
  agree: boolean;
  to: number;
};

/** What can be said to a takeback. */
export type TakebackAnswers = {
  agree: TakebackAnswer;
  refuse: TakebackAnswer;
};

/** Somebody asks all to go back, or one more agrees to that. */
export type TakebackAsked = {
  matchId: string;
  sequence: number;
  takeback: TakebackBody;
};

/** Somebody asks all to go back, or one more agrees to that. */
export type TakebackAskedMessage = {
  matchId: string;
  sequence: number;
  takeback: TakebackBody;
  type: "takeback.asked";
};

/** That somebody asks all to go back, as long as it is open. */
export type TakebackBody = {
  /** Those who agreed, the one who asks included. */
  agreed: string[];
  /** What they can say. */
  answers: TakebackAnswers;
  /** Who asks: `p1`. */
  by: string;
  /** Those who have yet to say something. */
  missing: string[];
  /** The version to go back to. */
  to: number;
  /** The version of the match now. */
  version: number;
};

/** What became of a takeback. */
export type TakebackEnd = "agreed" | "refused" | "withdrawn" | "overtaken" | "replaced";

/** Nobody asks any more to go back to a version. */
export type TakebackEnded = {
  /** The player by whom it ended. */
  by?: string;
  end: TakebackEnd;
  matchId: string;
  sequence: number;
  to: number;
};

/** Nobody asks any more to go back to a version. */
export type TakebackEndedMessage = {
  /** The player by whom it ended. */
  by?: string;
  end: TakebackEnd;
  matchId: string;
  sequence: number;
  to: number;
  type: "takeback.ended";
};

/** Ask all to go back to a version; agree to it, or refuse. */
export type TakebackSubmit = {
  /** Whether you want it; who asked takes it back with false. */
  agree?: boolean;
  branchId?: number | null;
  commandId?: string | null;
  /** Must be the sender. */
  playerId?: string | null;
  /** The version to go back to. */
  to: number;
};

/** Ask all to go back to a version; agree, or refuse. */
export type TakebackSubmitMessage = {
  /** Whether you want it; who asked takes it back with false. */
  agree?: boolean;
  branchId?: number | null;
  commandId?: string | null;
  matchId: string;
  /** Must be the sender. */
  playerId?: string | null;
  /** The version to go back to. */
  to: number;
  type: "takeback.submit";
};

/** What can fill a slot. */
export type TargetBody = {
  constraints: string[];
  count: number;
  /** The zone the candidates are in, or `players`, or `any` where they differ. */
  selector: string;
};

/** Something with a name and a text. */
export type Term = {
  id: string;
  name: string;
  text?: string;
  ui?: Json;
};

/** A way into a socket. */
export type TicketBody = {
  expiresInSeconds: number;
  /** Open `/ws?ticket=<ticket>` with it, once and soon. */
  ticket: string;
};

/** Where the match is in the course of turns. */
export type Turn = {
  /** Whose turn it is. */
  active?: string;
  number: number;
  phase?: string;
  step?: string;
};

/** Take back your own last answer, if that is fair. */
export type UndoSubmit = {
  branchId?: number | null;
  commandId?: string | null;
  /** Must be the sender. */
  playerId?: string | null;
};

/** Take back your own last answer, if that is fair. */
export type UndoSubmitMessage = {
  branchId?: number | null;
  commandId?: string | null;
  matchId: string;
  /** Must be the sender. */
  playerId?: string | null;
  type: "undo.submit";
};

/** What is done to a match: players concede, moderators do all else. */
export type Verb = "concede" | "timeout" | "pause" | "resume" | "kick" | "drop_item" | "void" | "set_result";

/** The table as a viewer sees it. Nothing in it is null, prose or time. */
export type View = {
  /** The version of the match: grows with every accepted change. */
  branchId: number;
  /** Every card that is seen, by its handle. */
  cards?: { [key: string]: Card };
  /** True while a moderator, or a mistake of the game, lets the match stand still. */
  isPaused?: boolean;
  /** How the match ended. */
  outcome?: Outcome;
  /** By `p1`, `p2`. */
  players: { [key: string]: Player };
  /** From the bottom. */
  stack: Row[];
  /** Absent in games without turns. */
  turn?: Turn;
  /** What belongs to nobody: trumps, the dealer. */
  values?: { [key: string]: Scalar };
  /** `p1`, `spectator` or `judge`. */
  viewer: string;
  /** The seats the match waits for. */
  waiting: string[];
  /** Who may act now, if somebody may. */
  window?: Window;
  /** By the zone's id, with the owner's where it has one: `hand@p1`. */
  zones?: { [key: string]: Zone };
};

/** The table, as the caller sees it. */
export type ViewBody = {
  receipt: string;
  /** The number of the last event. */
  sequence: number;
  view: View;
  viewHash: string;
};

/** Who sees the cards of a zone. */
export type Visibility = "all" | "owner" | "none";

/** The answer to `hello`. */
export type Welcome = {
  account: string;
  limits: Limits;
  protocol: string;
  /** The hash of the schema bundle of this server. */
  schemaHash: string;
  /** Milliseconds since 1970. */
  serverTime: number;
};

/** The answer to `hello`. */
export type WelcomeMessage = {
  account: string;
  limits: Limits;
  protocol: string;
  /** The hash of the schema bundle of this server. */
  schemaHash: string;
  /** Milliseconds since 1970. */
  serverTime: number;
  type: "welcome";
};

/** A window in which players may act. */
export type Window = {
  /** Who may act now. */
  holder: string;
  kind: WindowKind;
  /** Those who passed in it. */
  passed: string[];
  /** The row that can be responded to. */
  respondsTo?: string;
  step: string;
};

/** What a window is for. */
export type WindowKind = "action" | "response";

/** A zone as a viewer sees it. */
export type Zone = {
  /** The places of cards that are seen among hidden ones, from the bottom, beginning with 0. */
  at?: { [key: string]: number };
  /** Those that are seen, from the bottom. */
  cards?: string[];
  /** How many cards lie in it, hidden ones included. */
  count: number;
};

/** A kind of zone. */
export type ZoneKind = {
  area: Area;
  /** How many cards it takes. */
  capacity?: number;
  id: string;
  layout: Layout;
  name: string;
  /** Where it stands among others. */
  order: number;
  /** `player` if every player has one, else `shared`. */
  owner: string;
  ui?: Json;
  visibility: Visibility;
};
