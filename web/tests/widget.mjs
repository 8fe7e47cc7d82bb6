// How the widget finds words in a page.
//   node --test tests/widget.mjs
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
const { Page } = await vite.ssrLoadModule("/src/widget/anchor.ts");
const { sourceLink } = await vite.ssrLoadModule("/src/widget/fragment.ts");
const { around, placeOf } = await vite.ssrLoadModule("/src/cited/place.ts");

const page = (...texts) => new Page(texts.map((text, of) => ({ text, of })));

/** The text between two places of pieces. */
function between(texts, found) {
  let all = "";
  for (let one = found.start.of; one <= found.end.of; one++) {
    const text = texts[one];
    const from = one === found.start.of ? found.start.offset : 0;
    all += text.slice(from, one === found.end.of ? found.end.offset : text.length);
  }
  return all;
}

/** What is found of words in a page of one piece, and of several. */
const found = (exact, ...texts) =>
  page(...texts)
    .find({ exact })
    .map((one) => between(texts, one));

/** Numbers from a seed, the same each time. */
function* numbers(seed) {
  for (let at = seed; ; ) {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    yield at >>> 8;
  }
}

test("what a page's rendering changes does not hide the words", () => {
  const texts = ["The “of\u00adfice” pays —\n\t for co", "\ufb00ee,\u00a0TEA ", "and 😀 milk."];
  const [one] = found('the "office" pays - for coffee, tea and 😀 milk', ...texts);
  assert.equal(one, texts.join("").slice(0, -1));
});

test("words that are not there are not found, and nothing is found by white space alone", () => {
  assert.deepEqual(found("two four", "One two three."), []);
  assert.deepEqual(found(" \u00ad\n", "One two three."), []);
  assert.deepEqual(page().find({ exact: "a" }), []);
});

test("words are found as whole words alone, wherever a page cuts them", () => {
  for (const [words, ...texts] of [
    ["art", "a party of artists"],
    ["art", "p", "art"],
    ["art", "the art\u00adist"],
    ["10 euro", "110 euro"],
    ["10 euro", "1", "10 euro"],
    ["10 euro", "10 euros"],
    ["10 euro", "3.10 euro, 3,10 euro"],
    ["10", "10.5 and 10,000 and 10’000"],
    ["500 euro", "1\u00a0500 euro"],
    ["the rapist", "therapist"],
    ["nowhere", "now here"],
    ["ärzt", "Ärzte"],
    ["cafe", "cafe\u0301"],
    ["5 m", "5 m²"],
    ["2", "2½"],
  ])
    assert.deepEqual(found(words, ...texts), [], `${words} in ${texts}`);
  for (const [words, ...texts] of [
    ["art", "l’art"],
    ["art", "state-of-the-art."],
    ["10 euro", "(10 euro)"],
    ["10", "1. 10. 2019"],
    ["10", "第10条"],
    ["条例", "新条例は"],
    ["ไทย", "ภาษาไทยมี"],
    ["10", "costs 10."],
    ["10%", "10 %"],
  ])
    assert.equal(found(words, ...texts).length, 1, `${words} in ${texts}`);
});

test("the edge of a block parts words as white space does, and an edge that may be none does either", () => {
  const texts = ["Fee", "10 euro"];
  const edged = (edge, parting) =>
    new Page(
      texts.map((text, of) => ({ text, of, edge })),
      parting,
    );
  assert.equal(edged("block").find({ exact: "fee 10 euro" }).length, 1);
  assert.equal(edged("block").find({ exact: "10 euro" }).length, 1);
  assert.equal(edged("").find({ exact: "10 euro" }).length, 0);
  assert.equal(edged("either").find({ exact: "10 euro" }).length, 1);
  assert.equal(edged("either", false).find({ exact: "10 euro" }).length, 0);
  assert.equal(edged("either", false).find({ exact: "fee10 euro" }).length, 1);
});

test("a sign, a power and a decimal point stay what they are", () => {
  for (const [words, text] of [
    ["-5 C", "3–5 C"],
    ["-5 C", "3-5 C"],
    ["5 C", "-5 C"],
    ["5 C", "\u22125 C"],
    ["5 C", "(–5 C)"],
    ["$5", "-$5"],
    ["10²", "102"],
    ["102", "10²"],
    ["1.5", "15"],
    ["1.5", "1,5"],
    ["1.5", "1. 5"],
    ["+5", "5"],
    ["5 -3", "5-3"],
    ["½", "1/2"],
    [".5", "0.5"],
    ["5", "about .5"],
  ])
    assert.deepEqual(found(words, text), [], `${words} in ${text}`);
  for (const [words, text, is] of [
    ["-5 C", "from \u22125 C", "\u22125 C"],
    ["3-5 C", "is 3–5 C", "3–5 C"],
    ["5 C", "is 3–5 C", "5 C"],
    ["m2", "per m²", "m²"],
    ["CO2", "of CO₂", "CO₂"],
  ])
    assert.deepEqual(found(words, text), [is], `${words} in ${text}`);
});

test("what is written alike comes before what only folds alike", () => {
  assert.deepEqual(found("m²", "m2, M² and m²"), ["m²", "m2", "M²"]);
  assert.deepEqual(found("Art", "ART, art, Art"), ["Art", "ART", "art"]);
});

test("composed and decomposed letters are one, and the ranges hold the marks", () => {
  const texts = ["Das Cafe\u0301 ", "o\u0308ff", "net um acht, Cafe\u0301."];
  assert.deepEqual(found("Café öffnet", ...texts), ["Cafe\u0301 o\u0308ffnet"]);
  assert.deepEqual(found("Cafe\u0301", "Das Café.", "x"), ["Café"]);
  assert.deepEqual(found("\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"), [
    "\u1112\u1161\u11ab\u1100\u1173\u11af",
  ]);
});

test("repeated words are told apart by what stands around them", () => {
  const texts = [
    "Spring: the fee is 10 euro. ",
    "Summer: the fee is 10 euro. ",
    "Autumn: the fee is 10 euro.",
  ];
  const exact = "the fee is 10 euro.";
  const first = (around) => page(...texts).find({ exact, ...around })[0].start.of;
  assert.equal(first({}), 0);
  assert.equal(first({ before: "Summer: " }), 1);
  assert.equal(first({ behind: " Autumn" }), 1);
  assert.equal(first({ before: "Autumn: " }), 2);
});

test("of any number of places the right one is found", () => {
  const texts = Array.from({ length: 3_000 }, (_, one) => `Item ${one} costs 10 euro each. `);
  const [one] = page(...texts).find({ exact: "10 euro", before: "Item 2777 costs ", behind: " each." });
  assert.equal(one.start.of, 2_777);
});

test("any cutting of a page, and any white space in it, gives the same words", () => {
  const sentence =
    "Ausgaben über 100 € müssen die Vorgesetzten — schriftlich — genehmigen; “sofort”. 例外はない。";
  for (let seed = 1; seed <= 300; seed++) {
    const random = numbers(seed);
    const next = (most) => random.next().value % most;
    let text = `${"Text davor. ".repeat(next(4))}${sentence}${" Und danach.".repeat(next(4))}`;
    if (next(2)) text = text.normalize("NFD");
    text = text.replace(/ /g, () => [" ", "\n  ", "\u00a0", " \u200b", "\t"][next(5)]);
    text = text.replace(/\P{M}\p{M}*/gu, (char) => (next(12) === 0 ? `${char}\u00ad` : char));
    const texts = [];
    for (let at = 0; at < text.length; ) {
      let end = Math.min(text.length, at + 1 + next(9));
      if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end += 1;
      texts.push(text.slice(at, end));
      at = end;
    }
    const [one] = page(...texts).find({ exact: sentence });
    assert.ok(one, `seed ${seed}`);
    const plain = (given) => given.replace(/[\u00ad\u200b\s]+/g, "").normalize("NFC");
    assert.equal(plain(between(texts, one)), plain(sentence), `seed ${seed}`);
  }
});

test("a passage that a page breaks is found in its parts, and not where most of it is missing", () => {
  const passage = "Guests register at the desk. Badges are worn visibly. Cameras stay in the car.";
  const texts = [
    "Guests register at the desk. ",
    "ADVERTISEMENT ",
    "Badges are worn visibly. Cameras stay in the car.",
  ];
  const parts = page(...texts).findParts(passage);
  assert.deepEqual(
    parts.map((one) => between(texts, one)),
    ["Guests register at the desk.", "Badges are worn visibly.", "Cameras stay in the car."],
  );
  assert.deepEqual(page("Guests register at the desk.").findParts(passage), []);
  assert.equal(page(passage).findParts(passage).length, 1);
  assert.equal(page(`${passage} And more.`).findParts(`${passage.slice(0, -5)}…`).length, 1);
  const [teaser, first, ...more] = [
    "Guests register at the desk. Read on. ",
    "Guests register at the desk. Badges are worn visibly. ",
    "ADVERTISEMENT ",
    "Cameras stay in the car.",
  ];
  assert.deepEqual(
    page(teaser, first, ...more)
      .findParts(passage)
      .map((one) => one.start.of),
    [1, 1, 3],
  );
});

test("a page of one letter, and a long quote that is not there, take one walk over the page", () => {
  // Were each place looked at by itself, this alone would take many minutes.
  const long = page("a".repeat(3_000_000));
  assert.deepEqual(long.find({ exact: `${"a".repeat(4_000)}b` }), []);
  const words = page("a ".repeat(500_000));
  const [one] = words.find({ exact: "a ".repeat(2_000), before: "b ", behind: "a".repeat(200) });
  assert.ok(one);
});

test("a link leads to a page of a PDF, else to the words, and what leads somewhere already stays", () => {
  assert.equal(sourceLink("https://example.org/#part", "x y"), "https://example.org/#part:~:text=x%20y");
  assert.equal(sourceLink("https://example.org/", " "), "https://example.org/");
  assert.equal(sourceLink("https://example.org/a.pdf?b", "x y", 4), "https://example.org/a.pdf?b#page=4");
  assert.equal(sourceLink("https://example.org/a.docx", "x y", 4), "https://example.org/a.docx");
  assert.equal(sourceLink("https://example.org/#:~:text=a", "x y"), "https://example.org/#:~:text=a");
});

test("a place is told in words, and words are told from what is around them", () => {
  assert.equal(placeOf({ page: 3 }), "page 3");
  assert.equal(placeOf({ page: 3, page_end: 4, page_label: "iii" }), "pages iii–4");
  assert.equal(placeOf({ page: 3, page_label: "i\u202ei" }), "page i\ufffdi (3 of the file)");
  assert.equal(placeOf({ sheet: "Sums", cells: "A1:B2" }), "sheet Sums, A1:B2");
  assert.equal(placeOf({ time: 65.4 }), "at 1:05");
  assert.equal(placeOf({}), "");
  assert.deepEqual(around("one two three", "two"), ["one ", "two", " three"]);
  assert.equal(around("one", "two"), null);
  assert.equal(around("one", ""), null);
});
