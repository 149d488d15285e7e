// The rules of `games/bench-duel` as a game of boardgame.io, in the style of its documentation: moves
// change the state in place, and the framework makes a new state of it.
//
// Moves do not ask again whether they are legal: only listed ones are played, as in the engine's
// playouts.

const BOARD_MAX = 7;
const HEALTH = 20;
const MANA_MAX = 10;
const TURN_MAX = 80;

/** A duel of two sides; a card that is not in play is its cost, which says all about it. */
export function duel(sides) {
  return {
    name: "bench-duel",
    // Nobody takes anything back in a playout, so the history of states would only cost time.
    disableUndo: true,
    setup: () => ({ sides: sides.map(({ deck, hand }) => ({ health: HEALTH, mana: 0, deck, hand, board: [] })) }),
    turn: { onBegin: beginTurn, endIf: ({ G, ctx }) => !canAct(G, ctx) },
    moves: { play, attack, strike },
    endIf: findEnd,
    ai: { enumerate },
  };
}

/** Lists what the current player can do, in the order of the ruleset. */
export function enumerate(G, ctx) {
  const { own, other } = sidesOf(G, ctx);
  const listed = [];
  if (own.board.length < BOARD_MAX) {
    own.hand.forEach((cost, at) => {
      if (cost <= own.mana) listed.push({ move: "play", args: [at] });
    });
  }
  const ready = [...own.board.keys()].filter((at) => isReady(own.board[at], ctx));
  for (const attacker of ready) {
    other.board.forEach((_, defender) => listed.push({ move: "attack", args: [attacker, defender] }));
  }
  ready.forEach((attacker) => listed.push({ move: "strike", args: [attacker] }));
  listed.push({ event: "endTurn" });
  return listed;
}

/** Fills up the mana and draws a card; ends a turn in which nothing can be done. */
function beginTurn({ G, ctx, events }) {
  // The turn after the last one only begins so that the framework notices the end.
  if (ctx.turn > TURN_MAX) return;
  const { own } = sidesOf(G, ctx);
  own.mana = Math.min(Math.ceil(ctx.turn / 2), MANA_MAX);
  if (own.deck.length > 0) own.hand.push(own.deck.pop());
  // The condition for the end of a turn is only looked at after moves.
  if (!canAct(G, ctx)) events.endTurn();
}

/** Puts a card from the hand into play. */
function play({ G, ctx }, at) {
  const { own } = sidesOf(G, ctx);
  const [cost] = own.hand.splice(at, 1);
  own.mana -= cost;
  own.board.push({ attack: cost, health: cost + 1, since: ctx.turn, lastAttack: 0 });
}

/** Lets two creatures fight. */
function attack({ G, ctx }, attacker, defender) {
  const { own, other } = sidesOf(G, ctx);
  const striker = own.board[attacker];
  const target = other.board[defender];
  striker.lastAttack = ctx.turn;
  target.health -= striker.attack;
  striker.health -= target.attack;
  if (striker.health <= 0) own.board.splice(attacker, 1);
  if (target.health <= 0) other.board.splice(defender, 1);
}

/** Lets a creature hit the other player. */
function strike({ G, ctx }, attacker) {
  const { own, other } = sidesOf(G, ctx);
  const striker = own.board[attacker];
  striker.lastAttack = ctx.turn;
  other.health -= striker.attack;
}

/** How the duel ended; nothing while it goes on. */
function findEnd({ G, ctx }) {
  const loser = G.sides.findIndex((it) => it.health <= 0);
  if (loser >= 0) return { winner: 1 - loser };
  if (ctx.turn > TURN_MAX) return { draw: true };
}

/** Says whether the current player can do anything but end the turn. */
function canAct(G, ctx) {
  const { own } = sidesOf(G, ctx);
  const canPlay = own.board.length < BOARD_MAX && own.hand.some((cost) => cost <= own.mana);
  return canPlay || own.board.some((it) => isReady(it, ctx));
}

/** Says whether a creature may attack: not in the turn it came, and once a turn. */
function isReady(creature, ctx) {
  return creature.since < ctx.turn && creature.lastAttack < ctx.turn;
}

/** The sides of the current player and of the other one. */
function sidesOf(G, ctx) {
  const seat = Number(ctx.currentPlayer);
  return { own: G.sides[seat], other: G.sides[1 - seat] };
}
