// Checks docs/openapi.json with Redocly and Spectral, and docs/asyncapi.json with the AsyncAPI parser: no errors.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Parser } from "@asyncapi/parser";

const here = dirname(fileURLToPath(import.meta.url));
const docs = join(here, "../../docs");
let failed = false;

function run(name, args) {
  const done = spawnSync(join(here, "node_modules/.bin", name), args, { cwd: here, encoding: "utf8" });
  if (done.status !== 0) {
    failed = true;
    console.error(`${name} found errors:\n${done.stdout}${done.stderr}`);
  } else {
    console.log(`${name}: no errors`);
  }
}

run("redocly", ["lint", "--extends=recommended", join(docs, "openapi.json")]);
run("spectral", ["lint", "--ruleset", join(here, "spectral.json"), "--fail-severity", "error", join(docs, "openapi.json")]);

const { diagnostics } = await new Parser().parse(readFileSync(join(docs, "asyncapi.json"), "utf8"));
const errors = diagnostics.filter((it) => it.severity === 0);
if (errors.length > 0) {
  failed = true;
  console.error(errors.map((it) => `${it.path.join("/")}: ${it.message}`).join("\n"));
} else {
  console.log("asyncapi parser: no errors");
}
process.exit(failed ? 1 : 0);
