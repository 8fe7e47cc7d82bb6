/** Links that lead to words of a page: text fragments (`#:~:text=`), in any script. */

// Words at each end of a long text: the whole of it would make an address that many servers refuse.
const LONGEST = 120;
const WORDS = 5;
const CONTEXT = 3;

/** Returns an address that leads to `exact`; as it is where there are no words. An own fragment of it stays. */
export function fragmentLink(address: string, exact: string, before = "", behind = ""): string {
  const text = plain(exact);
  if (text === "") return address;
  const [page = "", hash = ""] = address.split("#", 2);
  const own = hash.split(":~:", 1)[0] ?? "";
  const parts: string[] = [];
  const words = text.split(" ");
  if (text.length <= LONGEST || words.length <= 2 * WORDS) parts.push(encoded(text.slice(0, 600)));
  else parts.push(encoded(words.slice(0, WORDS).join(" ")), encoded(words.slice(-WORDS).join(" ")));
  const prefix = lastWords(plain(before));
  const suffix = firstWords(plain(behind));
  // Context is only worth its length where the words are few, and may stand more than once.
  if (words.length < 2 * WORDS) {
    if (prefix) parts.unshift(`${encoded(prefix)}-`);
    if (suffix) parts.push(`-${encoded(suffix)}`);
  }
  return `${page}#${own}:~:text=${parts.join(",")}`;
}

function plain(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const firstWords = (text: string): string => text.split(" ").slice(0, CONTEXT).join(" ");
const lastWords = (text: string): string => text.split(" ").slice(-CONTEXT).join(" ");

/** Percent-encodes what has a meaning there besides what has one in every address: a dash, a comma, an ampersand. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(/-/g, "%2D");
}
