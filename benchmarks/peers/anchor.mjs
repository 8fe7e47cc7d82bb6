// Finds quotes with approx-string-match, as an annotator does: exact first, else with up to half of the quote changed.
//
//     node anchor.mjs <folder of node_modules> < lines of {quote, source, prefix}
//
// Prints one line of {start, end, errors} a quote, in code points, then one of {ms}: the time of all of them.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const MOST_ERRORS = 256;
const ROUNDS = 3;

const file = join(process.argv[2], "approx-string-match", "build", "src", "index.js");
const { default: search } = await import(pathToFileURL(file));
const asked = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));

function places(quote, source) {
  const found = [];
  for (let at = source.indexOf(quote); at >= 0; at = source.indexOf(quote, at + 1)) {
    found.push({ start: at, end: at + quote.length, errors: 0 });
  }
  return found.length ? found : search(source, quote, Math.min(MOST_ERRORS, quote.length / 2));
}

// How many characters in front of a place are those of the prefix.
function agreeing(source, place, prefix) {
  let same = 0;
  while (same < prefix.length && source[place.start - 1 - same] === prefix[prefix.length - 1 - same]) same += 1;
  return same;
}

function anchor({ quote, source, prefix }) {
  let best = null;
  for (const place of places(quote, source)) {
    const agrees = prefix ? agreeing(source, place, prefix) : 0;
    if (!best || place.errors < best.errors || (place.errors === best.errors && agrees > best.agrees)) {
      best = { ...place, agrees };
    }
  }
  return best;
}

let ms = Infinity;
let found = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const began = performance.now();
  found = asked.map(anchor);
  ms = Math.min(ms, performance.now() - began);
}
found.forEach((one, index) => {
  const { source } = asked[index];
  const point = (at) => [...source.slice(0, at)].length;
  console.log(JSON.stringify(one && { start: point(one.start), end: point(one.end), errors: one.errors }));
});
console.log(JSON.stringify({ ms }));
