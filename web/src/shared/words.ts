/** Returns a number with its noun: `1 page`, `1,204 pages`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Returns a day as people write it, and the time of a day that is today. */
export function when(iso: string | null | undefined): string {
  if (!iso) return "";
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  const today = new Date().toDateString() === date.toDateString();
  return today
    ? `today, ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`
    : date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** Returns a moment with its day and time, in UTC, as the server keeps it; what is none stays as it is. */
export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return plain(iso);
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** Returns a size as people read it. */
export function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

// Control signs, signs that turn the direction of what stands around them, and signs that nobody sees.
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Returns a name or title with signs in it made visible that could mislead; spaces of every kind are one. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(UNSEEN, "\ufffd");
}
