// How the widget finds words in a page, and leads to those of another.
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
const { Page, fold } = await vite.ssrLoadModule("/src/widget/anchor.ts");
const { fragmentLink } = await vite.ssrLoadModule("/src/widget/fragment.ts");

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

/** Numbers from a seed, the same each time. */
function* numbers(seed) {
  for (let at = seed; ; ) {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    yield at >>> 8;
  }
}

test("what a page's rendering changes does not hide the words", () => {
  const texts = ["The “of\u00adfice” pays —\n\t for co", "\ufb00ee,\u00a0TEA ", "and 😀 milk."];
  const found = page(...texts).find({ exact: 'the "office" pays - for coffee, tea and 😀 milk' });
  assert.equal(between(texts, found), texts.join("").slice(0, -1));
});

test("words that are not there are not found, and nothing is found by white space alone", () => {
  assert.equal(page("One two three.").find({ exact: "two four" }), null);
  assert.equal(page("One two three.").find({ exact: " \u00ad\n" }), null);
  assert.equal(page().find({ exact: "a" }), null);
});

test("repeated words are told apart by what stands around them", () => {
  const texts = [
    "Spring: the fee is 10 euro. ",
    "Summer: the fee is 10 euro. ",
    "Autumn: the fee is 10 euro.",
  ];
  const exact = "the fee is 10 euro.";
  assert.equal(page(...texts).find({ exact }).start.of, 0);
  assert.equal(page(...texts).find({ exact, before: "Summer: " }).start.of, 1);
  assert.equal(page(...texts).find({ exact, behind: " Autumn" }).start.of, 1);
  assert.equal(page(...texts).find({ exact, before: "Autumn: " }).start.of, 2);
});

test("any cutting of a page, and any white space in it, gives the same words", () => {
  const sentence =
    "Ausgaben über 100 € müssen die Vorgesetzten — schriftlich — genehmigen; “sofort”. 例外はない。";
  for (let seed = 1; seed <= 300; seed++) {
    const random = numbers(seed);
    const next = (most) => random.next().value % most;
    let text = `${"Text davor. ".repeat(next(4))}${sentence}${" Und danach.".repeat(next(4))}`;
    text = text.replace(/ /g, () => [" ", "\n  ", "\u00a0", " \u200b", "\t"][next(5)]);
    text = [...text].map((char) => (next(12) === 0 ? `${char}\u00ad` : char)).join("");
    const texts = [];
    for (let at = 0; at < text.length; ) {
      let end = Math.min(text.length, at + 1 + next(9));
      if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end += 1;
      texts.push(text.slice(at, end));
      at = end;
    }
    const found = page(...texts).find({ exact: sentence });
    assert.ok(found, `seed ${seed}`);
    assert.equal(fold(between(texts, found)), fold(sentence), `seed ${seed}`);
  }
});

test("a passage that a page breaks is found in its parts, and not where most of it is missing", () => {
  const passage = "Guests register at the desk. Badges are worn visibly. Cameras stay in the car.";
  const texts = [
    "Guests register at the desk. ",
    "ADVERTISEMENT",
    "Badges are worn visibly. Cameras stay in the car.",
  ];
  const parts = page(...texts).findParts(passage);
  assert.deepEqual(
    parts.map((one) => between(texts, one)),
    ["Guests register at the desk.", "Badges are worn visibly.", "Cameras stay in the car."],
  );
  assert.deepEqual(page("Guests register at the desk.").findParts(passage), []);
  assert.equal(page(passage).findParts(passage).length, 1);
});

test("a page of a million characters without the words takes no longer than reading it", () => {
  const long = "a".repeat(1_000_000);
  assert.equal(page(long).find({ exact: `${"a".repeat(200)}b` }), null);
  assert.ok(page(long).find({ exact: "a".repeat(50), before: "b" }));
});

test("a link leads to the words, in any script, with what has a meaning there encoded", () => {
  const link = (exact, ...around) => fragmentLink("https://example.org/a?b=c", exact, ...around);
  assert.equal(link("well-known, A&B"), "https://example.org/a?b=c#:~:text=well%2Dknown%2C%20A%26B");
  assert.equal(
    link("二重  の\u00ad壁"),
    `https://example.org/a?b=c#:~:text=${encodeURIComponent("二重 の壁")}`,
  );
  assert.equal(
    link("10 euro", "the fee is", "in spring"),
    "https://example.org/a?b=c#:~:text=the%20fee%20is-,10%20euro,-in%20spring",
  );
  const words = Array.from({ length: 60 }, (_, one) => `word${one}`).join(" ");
  assert.equal(
    link(words),
    "https://example.org/a?b=c#:~:text=word0%20word1%20word2%20word3%20word4,word55%20word56%20word57%20word58%20word59",
  );
  assert.equal(fragmentLink("https://example.org/#part", "x"), "https://example.org/#part:~:text=x");
  assert.equal(link("  "), "https://example.org/a?b=c");
  assert.doesNotThrow(() => link("half \ud83d of a sign"));
});
