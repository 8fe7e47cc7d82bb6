// Writes src/types/*.ts from the JSON Schemas: the published ones, and that of the server's own shapes.
//   node tools/types.mjs           writes them
//   node tools/types.mjs --check   names what is out of date and fails
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCHEMAS = {
  answer: "src/pincite/protocols/schemas/answer.json",
  server: "web/schemas/server.json",
};
const BANNER = "// Made by `make web-types` from the JSON Schemas. Edit those, not this file.";

const check = process.argv.includes("--check");
let old = 0;
for (const [name, path] of Object.entries(SCHEMAS)) {
  const schema = JSON.parse(await readFile(`${ROOT}/${path}`, "utf8"));
  // A field that has a default is there in every answer, and may be left out of a question.
  const text = await compile(schema, schema.title, {
    additionalProperties: false,
    bannerComment: BANNER,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110 },
  });
  const file = `${ROOT}/web/src/types/${name}.ts`;
  const before = await readFile(file, "utf8").catch(() => "");
  if (before === text) continue;
  old = 1;
  if (check) console.log(`web/src/types/${name}.ts is out of date: run \`make web-types\` and commit it.`);
  else {
    await writeFile(file, text);
    console.log(`web/src/types/${name}.ts written.`);
  }
}
process.exitCode = check ? old : 0;
