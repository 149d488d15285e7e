// Follows matches from the messages of a socket, one a line: applies patches and compares the hash after each.
// Written from the documents; shares no code with the server.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const canonical = (it) => {
  if (Array.isArray(it)) return `[${it.map(canonical).join(",")}]`;
  if (it === null || typeof it !== "object") return JSON.stringify(it);
  const keys = Object.keys(it).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(it[key])}`).join(",")}}`;
};
const sha = (it) => `sha256:${createHash("sha256").update(canonical(it)).digest("hex")}`;

const viewHash = (view) => {
  const leaves = [];
  for (const [key, value] of Object.entries(view)) {
    if (["cards", "players", "zones"].includes(key)) {
      for (const [id, it] of Object.entries(value)) leaves.push(sha([key, id, it]));
    } else leaves.push(sha([key, value]));
  }
  return sha(leaves.sort());
};

const merge = (target, patch) => {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const merged = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
};

let view = null;
let checked = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "state.view") view = message.view;
  else if (message.type === "state.delta") view = merge(view, message.patch);
  else continue;
  const hash = viewHash(view);
  if (hash !== message.viewHash) {
    console.error(`another hash after ${message.type} at ${message.sequence}: ${hash}`);
    process.exit(1);
  }
  checked += 1;
}
console.log(checked);
