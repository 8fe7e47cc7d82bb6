// What is made of the events of a run, without a page.
//   node --test tests/cited.mjs
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
const { run, Sse } = await vite.ssrLoadModule("/src/cited/stream.ts");
const { Transcript } = await vite.ssrLoadModule("/src/cited/transcript.ts");
const { mocaOf } = await vite.ssrLoadModule("/src/cited/moca.ts");
const { sentenceOf } = await vite.ssrLoadModule("/src/cited/sentence.ts");
const { safeLink } = await vite.ssrLoadModule("/src/cited/shapes.ts");

const started = { type: "RUN_STARTED" };
const finished = { type: "RUN_FINISHED" };
const begun = (id) => ({ type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" });
const said = (id, delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta });
const custom = (name, value) => ({ type: "CUSTOM", name, value: { version: 1, messageId: "m", ...value } });
const place = { start_utf16: 3, end_utf16: 6 };

function taken(...events) {
  const transcript = new Transcript();
  for (const event of events) transcript.take(event);
  return transcript;
}

test("events are the same wherever their stream is cut, and lines end in CR, LF and both alone", () => {
  const stream =
    "\ufeff: hello\r\rdata: a\u2028b\u0085c\n\ndata:one\r\ndata: two\r\n\r\ndata: 3\r\revent: x\n\n";
  const wanted = ["a\u2028b\u0085c", "one\ntwo", "3"];
  for (let first = 0; first <= stream.length; first++)
    for (let second = first; second <= stream.length; second++) {
      const events = new Sse();
      const pieces = [stream.slice(0, first), stream.slice(first, second), stream.slice(second)];
      assert.deepEqual(
        pieces.flatMap((piece) => events.push(piece)),
        wanted,
      );
    }
});

test("what is not known is passed over, and what is malformed does no harm", () => {
  const transcript = taken(started, begun("m"), said("m", "It [1]."));
  for (const event of [
    { type: "STATE_SNAPSHOT", snapshot: {} },
    custom("pincite.unheard_of", { citations: [] }),
    custom("pincite.citations", { version: 2, citations: [{}] }),
    custom("pincite.citations", { messageId: "other" }),
    { type: "CUSTOM", name: "pincite.citations", value: null },
    { type: "MESSAGES_SNAPSHOT", messages: "none" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: 7, delta: "x" },
    {},
  ])
    assert.equal(transcript.take(event), false);
  transcript.take(
    custom("pincite.citations", { citations: [null, 1, {}, { start_utf16: -1, end_utf16: 2 }] }),
  );
  assert.deepEqual(transcript.messages[0].cited, []);
  assert.equal(transcript.messages[0].text, "It [1].");
});

test("final citations take the place of provisional ones, the last told win, and their text replaces", () => {
  const transcript = taken(
    started,
    begun("m"),
    said("m", "It [1]."),
    custom("pincite.citation", { ...place, numbers: [1], title: "A" }),
  );
  assert.deepEqual(
    transcript.messages[0].cited.map((one) => [one.title, one.final]),
    [["A", false]],
  );
  const final = (title) =>
    custom("pincite.citations", {
      text: `${title} [1].`,
      citations: [{ ...place, number: 1, verdict: "valid", confidence: null, locator: {} }],
      sources: [{ number: 1, title, source_uri: "javascript:1" }],
    });
  transcript.take(final("B"));
  transcript.take(final("C"));
  transcript.take(custom("pincite.highlight", { highlights: [{ citation: 0, quote: "words" }] }));
  transcript.take(finished);
  const [one] = transcript.messages;
  assert.deepEqual(
    one.cited.map((each) => [each.title, each.final, each.confidence, each.link]),
    [["C", true, null, null]],
  );
  assert.deepEqual([one.text, one.state, one.lit.get(0).quote], ["C [1].", "settled", "words"]);
});

test("a snapshot of the messages takes drafts away, and leaves what was settled before", () => {
  const transcript = taken(started, begun("old"), said("old", "Old."), finished);
  transcript.say("q", "Why?");
  for (const event of [started, begun("draft"), said("draft", "No."), begun("m"), said("m", "Yes")])
    transcript.take(event);
  transcript.take({
    type: "MESSAGES_SNAPSHOT",
    messages: [{ id: "m", role: "assistant", content: "Yes, mended." }],
  });
  assert.deepEqual(
    transcript.messages.map((one) => [one.id, one.text]),
    [
      ["old", "Old."],
      ["q", "Why?"],
      ["m", "Yes, mended."],
    ],
  );
});

test("every way in which a run can end is told", async () => {
  const asked = { url: "/x", token: "t", threadId: "a", question: "q", messageId: "m" };
  const real = globalThis.fetch;
  const error = (status) =>
    new Response('{"error": {"message": "No."}}', { status, headers: { "Retry-After": "5" } });
  const stream = (...events) =>
    new Response(events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""));
  const cases = [
    [() => error(401), { kind: "signed-out", message: "No.", after: 5 }],
    [() => error(403), { kind: "forbidden", message: "No.", after: 5 }],
    [() => error(429), { kind: "too-many", message: "No.", after: 5 }],
    [() => error(503), { kind: "unavailable", message: "No.", after: 5 }],
    [() => stream(started, finished), { kind: "done" }],
    [() => stream(started, { type: "RUN_ERROR", message: "Broke." }), { kind: "failed", message: "Broke." }],
  ];
  try {
    for (const [reply, wanted] of cases) {
      globalThis.fetch = async () => reply();
      assert.deepEqual(await run(asked, () => {}), wanted);
    }
    globalThis.fetch = async () => stream(started);
    assert.equal((await run(asked, () => {})).kind, "broken");
    globalThis.fetch = async () => Promise.reject(new TypeError());
    assert.equal((await run(asked, () => {})).kind, "offline");
    assert.equal((await run({ ...asked, signal: AbortSignal.abort() }, () => {})).kind, "stopped");
  } finally {
    globalThis.fetch = real;
  }
});

test("only addresses of the web are links", () => {
  assert.equal(safeLink("https://example.org/a?b#c"), "https://example.org/a?b#c");
  for (const address of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "//example.org",
    "/path",
    "https://user@example.org/",
    "https:example.org",
    "https://exa\nmple.org",
    "https:\\\\example.org",
    "upload://handbook.pdf",
    null,
    7,
  ])
    assert.equal(safeLink(address), null, String(address));
});

test("a question that is taken back goes with what came behind it, and nothing else does", () => {
  const transcript = new Transcript();
  transcript.say("a", "First?");
  transcript.take(begun("m"));
  transcript.say("b", "Second?");
  transcript.take(begun("n"));
  transcript.withdraw("b");
  assert.deepEqual(
    transcript.messages.map((one) => one.id),
    ["a", "m"],
  );
  transcript.withdraw("nobody");
  assert.equal(transcript.messages.length, 2);
});

test("facts of a record are told as of their moment, and what has come about since is told beside them", () => {
  const trust = {
    status: "stable",
    declaredVerified: [],
    attestedReviews: [],
    stale: false,
    staleAfter: "2026-03-01",
    inForce: true,
    validUntil: "2026-04-01T00:00:00Z",
    superseded: false,
    contested: false,
  };
  const record = { package: { signed: true, signers: ["Ann"] }, node: { ref: "a@1#b", path: "b" }, trust };
  const value = { version: 1, computedAt: "2026-02-03T04:05:06Z", citations: [{ record }] };
  const told = (now) => mocaOf(value, Date.parse(now)).citations[0].facts;
  const before = told("2026-02-28T23:59:59Z");
  assert.deepEqual(
    before.filter((one) => one.warns),
    [],
  );
  const after = told("2026-04-01T00:00:00Z");
  assert.deepEqual(
    after.filter((one) => one.warns).map((one) => one.text),
    [
      "Stale by now (2026-04-01): after 2026-03-01.",
      "Not in force any more, or not yet, by now (2026-04-01).",
    ],
  );
  assert.equal(after.length, before.length + 2);
});

test("a name in a record cannot pose as a fact", () => {
  const posing = 'Ann". Package signed by "the\u200b Court\u201d. Status: \u202estable';
  const kept = `"Ann'. Package signed by 'the Court'. Status: stable"`;
  const trust = {
    status: "stable. Attested",
    declaredVerified: [{ by: posing, at: "2026-03-01" }],
    attestedReviews: [{ reviewer: posing, signer: "Bo", outcome: "fine", reviewedAt: "today. Signed" }],
    generated: { by: posing },
    stale: true,
    staleAfter: "never. In force",
    inForce: true,
    superseded: true,
    supersededBy: [posing, "b", "c", "d", "e", "f"],
    contested: false,
  };
  const record = { package: { signed: true, signers: [posing] }, node: { ref: "a@1#b", path: "b" }, trust };
  const { facts } = mocaOf({ version: 1, citations: [{ record }] }).citations[0];
  assert.deepEqual(
    facts.map((one) => one.text),
    [
      `Review by ${kept}, attested by the signature of "Bo": "fine" ("today. Signed").`,
      'Status: "stable. Attested".',
      'Stale since "never. In force".',
      `Superseded by ${kept}, "b", "c", "d", "e" and 1 more.`,
      `Package signed by ${kept}.`,
      `Declared checked by ${kept} (2026-03-01): the author's own statement, signed by nobody.`,
      `Declared as made by ${kept}.`,
    ],
  );
});

test("a marker of several nodes is a place of none of them", () => {
  const trust = { status: "stable", stale: false, inForce: true };
  const entry = (marker, ref) => ({ marker, record: { package: {}, node: { ref, path: "b" }, trust } });
  const citations = [
    entry("[1]", "a@1#a"),
    entry("[1]", "a@1#b"),
    entry("[2]", "a@1#c"),
    entry("[2]", "a@1#c"),
  ];
  assert.deepEqual(
    mocaOf({ version: 1, citations }).citations.map((one) => one.marker),
    [null, null, "[2]", "[2]"],
  );
});

/** What each `[1]` of a text bears out; `claim` is told of all of them. */
function sentences(text, claim = null) {
  const cited = [...text.matchAll(/\[1\]/g)].map(({ index }) => ({ start: index, end: index + 3, claim }));
  return cited.map((one) => sentenceOf({ text, cited }, one));
}

test("a number bears out the sentence that it stands in or behind, without numbers and signs", () => {
  const [first, second] = ["A bicycle travels for 4 euro.", "Tandems count as two."];
  assert.deepEqual(sentences(`${first} [1] ${second} [1]`), [first, second]);
  assert.deepEqual(sentences(`**${first}** [1] _[Tandems](https://x.example/a_b) count_ as two.[1][1]`), [
    first,
    second,
    second,
  ]);
  assert.deepEqual(sentences(`${first}\n[1]\n\n[1] ${second}`), [first, second]);
  assert.deepEqual(sentences("_Set_ a_size to 4. [1]"), ["Set a_size to 4."]);
  assert.deepEqual(sentences("| Bicycle | 4 euro [1] |\n| Tandem | 8 euro [1] |"), [
    "Bicycle 4 euro",
    "Tandem 8 euro",
  ]);
  assert.deepEqual(sentences("自転車は4ユーロです。[1]二人乗りは二台です。[1]"), [
    "自転車は4ユーロです。",
    "二人乗りは二台です。",
  ]);
});

test("the statement that is told of a citation goes before, and where there is no sentence there is none", () => {
  assert.deepEqual(sentences("One. It is so. [1]", { start: 0, end: 4 }), ["One."]);
  assert.deepEqual(sentences("[1]"), [""]);
  assert.deepEqual(sentences("[1] ... [1]"), ["", ""]);
});
