// What the console works out by itself, without a page: each holds for every input that is tried.
//   node --test tests/
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const vite = await createServer({
  root: fileURLToPath(new URL("..", import.meta.url)),
  appType: "custom",
  logLevel: "error",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
after(() => vite.close());
const load = (path) => vite.ssrLoadModule(path);
const { EventReader } = await load("/src/shared/events.ts");
const { differences } = await load("/src/shared/differences.ts");
const { Points } = await load("/src/shared/points.ts");
const { count, moment, plain, size } = await load("/src/shared/words.ts");
const { at } = await load("/src/shared/api.ts");
const { placeOf } = await load("/src/console/route.ts");

/** Numbers that are the same each time. */
function seeded(seed) {
  let state = seed;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * most);
  };
}

test("events are the same wherever their stream is cut", () => {
  const stream =
    ': hello\n\nevent: job\r\ndata: {"a": 1}\r\n\r\ndata: one\ndata:two\nid: 3\n\nevent: none\n\ndata: last\n\n';
  const wanted = [
    { event: "job", data: '{"a": 1}' },
    { event: "message", data: "one\ntwo" },
    { event: "message", data: "last" },
  ];
  for (let first = 0; first <= stream.length; first++)
    for (let second = first; second <= stream.length; second++) {
      const reader = new EventReader();
      const pieces = [stream.slice(0, first), stream.slice(first, second), stream.slice(second)];
      assert.deepEqual(
        pieces.flatMap((piece) => reader.push(piece)),
        wanted,
      );
    }
});

test("an event that has no end is none", () => {
  assert.deepEqual(new EventReader().push("event: job\ndata: 1\n"), []);
});

test("what differs, put together again, is what was given", () => {
  const next = seeded(7);
  const words = [
    "Receipts",
    "are",
    "kept",
    "for",
    "seven",
    "nine",
    "years",
    ",",
    "100",
    "ärzte",
    "😀",
    " ",
    "\n",
  ];
  const text = () => Array.from({ length: next(12) }, () => words[next(words.length)]).join(" ");
  for (let turn = 0; turn < 500; turn++) {
    const [left, right] = [text(), text()];
    const runs = differences(left, right);
    assert.equal(runs.map((one) => one.left).join(""), left);
    assert.equal(runs.map((one) => one.right).join(""), right);
    for (const one of runs) {
      assert.equal(one.left.toLowerCase() === one.right.toLowerCase(), one.kind === "same");
    }
  }
});

test("only the words that differ are marked", () => {
  assert.deepEqual(differences("kept for nine years", "Kept for seven years"), [
    { kind: "same", left: "kept for ", right: "Kept for " },
    { kind: "left", left: "nine", right: "" },
    { kind: "right", left: "", right: "seven" },
    { kind: "same", left: " years", right: " years" },
  ]);
});

test("texts that are too long to be compared differ as a whole", () => {
  const [left, right] = ["a ".repeat(2000), "b ".repeat(2000)];
  assert.deepEqual(
    differences(left, right).map((one) => one.kind),
    ["left", "right"],
  );
});

test("places are code points", () => {
  assert.equal(new Points("a😀b").slice(1, 2), "😀");
  assert.equal(new Points("a😀b").length, 3);
});

test("names cannot turn what stands around them, and letters of every script stay", () => {
  assert.equal(plain("a\u202egnp.exe"), "a\ufffdgnp.exe");
  assert.equal(plain("two\n\tlines"), "two lines");
  for (const name of ["Ärzte", "مرحبا", "می\u200cخواهم", "日本語", "👩\u200d🔬"])
    assert.equal(plain(name), name);
});

test("numbers are said as people say them", () => {
  assert.equal(count(1, "search", "searches"), "1 search");
  assert.equal(count(1204, "search", "searches"), "1,204 searches");
  assert.deepEqual([0, 999, 1000, 12_345, 5_000_000].map(size), [
    "0 B",
    "999 B",
    "1.0 kB",
    "12 kB",
    "5.0 MB",
  ]);
});

test("a name in a path is one name, whatever is in it", () => {
  assert.equal(at`/api/x/${"../a?b#c"}/y`, "/api/x/..%2Fa%3Fb%23c/y");
});

test("each address is a screen, or nowhere", () => {
  const places = {
    "/": ["start", "", ""],
    "/console": ["start", "", ""],
    "/console/library": ["library", "", ""],
    "/console/collections/a%2Fb/settings": ["collection", "a/b", "settings"],
    "/console/collections/%ff": ["collection", "%ff", ""],
    "/console/agents": ["agents", "", ""],
    "/console/agents/new": ["agent", "new", ""],
    "/console/agents/x/embed": ["agent", "x", "embed"],
    "/console/check/quotes": ["check", "", "quotes"],
    "/console/collections": ["nowhere", "", ""],
    "/console/agents/x/y": ["nowhere", "", ""],
    "/console/check/quotes/more": ["nowhere", "", ""],
  };
  for (const [path, [screen, id, tab]] of Object.entries(places))
    assert.deepEqual(placeOf(path), { screen, id, tab }, path);
});

test("a moment is told in UTC, wherever the reader is, and what is none stays", () => {
  assert.equal(moment("2026-02-03T04:05:06Z"), "3 February 2026, 04:05 UTC");
  assert.equal(moment("2026-02-03T00:30:00+02:00"), "2 February 2026, 22:30 UTC");
  assert.equal(moment("some\nday"), "some day");
});
