// Plays one run on the chain: what it needs to know it asks the chain, and how its battles come out it
// computes itself, with the rules as a wasm module. A web page can do the same.
//
//   node play.mjs CORE.wasm SET_HASH [ws://127.0.0.1:9944]

import { readFile } from "node:fs/promises";
import { createClient, Enum } from "polkadot-api";
import { getPolkadotSigner } from "polkadot-api/signer";
import { getWsProvider } from "polkadot-api/ws";
import { WebSocket } from "ws";
import { sr25519CreateDerive } from "@polkadot-labs/hdkd";
import { DEV_PHRASE, entropyToMiniSecret, mnemonicToEntropy, ss58Address } from "@polkadot-labs/hdkd-helpers";

const [coreFile, setHash, url = "ws://127.0.0.1:9944"] = process.argv.slice(2);
if (!coreFile || !/^0x[0-9a-f]{64}$/.test(setHash ?? "")) {
  console.error("say where the core is and which set to play: node play.mjs CORE.wasm 0x... [URL]");
  process.exit(2);
}
const core = (await WebAssembly.instantiate(await readFile(coreFile))).instance.exports;
const client = createClient(getWsProvider(url, { websocketClass: globalThis.WebSocket ?? WebSocket }));
const api = client.getUnsafeApi();
const game = api.apis.AutoBattleApi;

const derive = sr25519CreateDerive(entropyToMiniSecret(mnemonicToEntropy(DEV_PHRASE)));
const keys = derive("//Dave//stash");
const me = ss58Address(keys.publicKey);
const signer = getPolkadotSigner(keys.publicKey, "Sr25519", keys.sign);

/** For how many blocks a transaction is valid; then it is as if it had never been. */
const LIFETIME_BLOCKS = 64;

/** Sends a call of the pallet and waits until it is in a finalised block. */
async function submit(name, args = {}) {
  const mortality = { mortal: true, period: LIFETIME_BLOCKS };
  const result = await api.tx.AutoBattle[name](args).signAndSubmit(signer, { mortality });
  if (!result.ok) throw new Error(`${name} failed: ${JSON.stringify(result.dispatchError)}`);
  return result.events.filter((it) => it.type === "AutoBattle").map((it) => it.value);
}

const RESULTS = ["Victory", "Defeat", "Draw"];

/** Asks the pallet at a block and gives the bytes of the answer as the node sent them. */
async function askForBytes(block, method, args) {
  const answer = await client._request("state_call", [`AutoBattleApi_${method}`, args, block]);
  return Uint8Array.from(answer.slice(2).match(/../g) ?? [], (it) => Number.parseInt(it, 16));
}

/** Fights the pending battle with the core and says how it comes out. */
async function fight() {
  const { hash } = await client.getFinalizedBlock();
  const answers = [
    await askForBytes(hash, "pool", setHash),
    await askForBytes(hash, "pending_battle", `0x${Buffer.from(keys.publicKey).toString("hex")}`),
  ];
  core.clear();
  answers.forEach((bytes, which) => bytes.forEach((byte) => core.put(which, byte)));
  const result = RESULTS[core.judge()];
  if (result === undefined) throw new Error("the node's answers have no battle");
  return result;
}

/** Asks until there is an answer: seeds are known a few blocks after they are committed. */
async function eventually(ask) {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

const session = () => game.session(me);

/** What the chain would make of an action, or nothing if it would refuse it. */
async function tryAction(pool, state, action) {
  const answer = await game.try_step(pool, state, Enum("Act", action));
  return answer.success === false ? undefined : (answer.value ?? answer);
}

/** Pitches and buys, card by card, as far as the mana goes. */
async function planTurn(pool, state) {
  const actions = [];
  const card = (slot) => state.shop[slot].card && pool[state.shop[slot].card.card];
  const act = async (action) => {
    const next = await tryAction(pool, state, action);
    if (next) [state] = [next, actions.push(action)];
    return next !== undefined;
  };
  for (let round = 0; round < 4; round++) {
    const offers = [0, 1, 2, 3, 4].filter(card);
    const limit = Math.min(state.round + 2, 10);
    const wanted = offers
      .filter((slot) => card(slot).play_cost <= limit)
      .sort((a, b) => card(b).attack + card(b).health - card(a).attack - card(a).health)[0];
    if (wanted === undefined || state.board.every((it) => it !== undefined)) break;
    const spare = offers.filter((slot) => slot !== wanted);
    while (state.mana < card(wanted).play_cost && spare.length > 0) {
      await act(Enum("PitchShopCard", { slot: spare.pop() }));
    }
    if (!(await act(Enum("BuyCard", { slot: wanted })))) break;
  }
  return actions;
}

async function main() {
  const pool = await game.pool(setHash);
  if (pool === undefined) throw new Error(`the chain has no such set: ${setHash}`);
  const poolBefore = await game.prize_pool(setHash);
  await submit("start_game", { set_hash: setHash });
  let run = await eventually(async () => ((it) => (it?.state ? it : undefined))(await session()));
  const results = [];
  let nActions = 0;
  while (run.stage.type !== "Over") {
    const actions = await planTurn(pool, run.state);
    nActions += actions.length;
    await submit("play_turn", { actions });
    const pending = await eventually(() => game.pending_battle(me));
    const result = await fight();
    // What is reported is what was computed here, of the boards and the seed that the node gave.
    const verdict = await game.verdict(pool, pending.battle);
    if (verdict.result.type !== result) throw new Error(`the node says ${verdict.result.type}, the core ${result}`);
    await submit("report_outcome", { result: Enum(result) });
    results.push(result);
    run = await session();
  }
  for (let open = await session(); open !== undefined; open = await session()) {
    await submit("claim_prize", { run: open.run, min: await game.prize_offer(setHash) });
  }
  console.log(`web client: ${results.join(" ")}: ${run.stage.value.type}`);

  const wins = results.filter((it) => it === "Victory").length;
  const losses = results.filter((it) => it === "Defeat").length;
  if ((wins === 10) !== (run.stage.value.type === "Won")) throw new Error("the run ended otherwise than its battles");
  if (wins !== 10 && losses !== 3) throw new Error("the run ended too early");
  if (nActions === 0) throw new Error("it has bought nothing");
  if ((await game.prize_pool(setHash)) <= poolBefore && wins !== 10) throw new Error("the entry fee is not in the pool");
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  client.destroy();
}
