// Plays games of the bench duel on boardgame.io's local client and measures how long they take. At every
// decision the legal moves must be as many as the engine found, and every game must end as it ended there.
//
//   cargo run --release -p bench deal 1000 | node bench/boardgame-io/play.mjs

import { readFileSync } from "node:fs";
import { duel, enumerate } from "./duel.mjs";

// Without the checks for developers, as in a web page that is built for players; it must be said before
// boardgame.io is loaded.
process.env.NODE_ENV ??= "production";
const { Client } = await import("boardgame.io/dist/cjs/client.js");

/** How often all games are played before the time is taken, and while it is. */
const WARM_UPS = 1;
const ROUNDS = 3;

const games = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
for (let n = 0; n < WARM_UPS; n += 1) playRound();
const rounds = Array.from({ length: ROUNDS }, playRound);
report();

/** Plays all games once; gives the seconds for making the clients and for playing. */
function playRound() {
  const start = performance.now();
  const clients = games.map(({ sides }) => Client({ game: duel(sides), numPlayers: 2, debug: false }));
  const made = performance.now();
  clients.forEach((client, at) => playGame(client, games[at]));
  const played = performance.now();
  return { making: (made - start) / 1000, playing: (played - made) / 1000 };
}

/** Plays one game by the choices it was played with in the engine. */
function playGame(client, { seed, decisions, winner }) {
  for (const [nLegal, chosen] of decisions) {
    const { G, ctx } = client.getState();
    const listed = enumerate(G, ctx);
    expectSame(seed, ctx.turn, "moves", ctx.gameover ? 0 : listed.length, nLegal);
    const { event, move, args } = listed[chosen];
    if (event) client.events[event]();
    else client.moves[move](...args);
  }
  const { turn, gameover } = client.getState().ctx;
  const end = winner === null ? { draw: true } : { winner };
  expectSame(seed, turn, "ends", JSON.stringify(gameover), JSON.stringify(end));
}

/** Ends the program at the first difference. */
function expectSame(seed, turn, what, found, expected) {
  if (found !== expected) throw new Error(`game ${seed}, turn ${turn}: other ${what}: ${found} instead of ${expected}`);
}

/** The middle one of some figures. */
function median(figures) {
  return figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)];
}

/** Prints how many games were checked and how fast they were played. */
function report() {
  const nDecisions = games.reduce((sum, game) => sum + game.decisions.length, 0);
  const playing = median(rounds.map((it) => it.playing));
  const making = median(rounds.map((it) => it.making));
  console.log(JSON.stringify({
    games: games.length,
    decisions: nDecisions,
    decisionsPerSecond: Math.round(nDecisions / playing),
    microsecondsToMakeClient: Math.round((making / games.length) * 1e6),
  }));
}
