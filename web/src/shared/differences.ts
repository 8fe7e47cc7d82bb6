/** A run of words: in both texts, as each writes them, or in one of them alone. */
export interface Run {
  kind: "same" | "left" | "right";
  left: string;
  right: string;
}

const MOST_CELLS = 4_000_000;

/** Returns how two texts differ, word by word; texts that are too long for that are one whole difference. */
export function differences(left: string, right: string): Run[] {
  const a = words(left);
  const b = words(right);
  // A capital alone is no other word.
  const same = (i: number, j: number): boolean => a[i]?.toLowerCase() === b[j]?.toLowerCase();
  if (a.length * b.length > MOST_CELLS) {
    return [
      { kind: "left", left, right: "" },
      { kind: "right", left: "", right },
    ];
  }
  const width = b.length + 1;
  // The longest common run of words from each place on.
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = same(i, j)
        ? (table[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  const runs: Run[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && same(i, j)) {
      put(runs, "same", a[i++] ?? "", b[j++] ?? "");
    } else if (
      j >= b.length ||
      (i < a.length && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0))
    ) {
      put(runs, "left", a[i++] ?? "", "");
    } else {
      put(runs, "right", "", b[j++] ?? "");
    }
  }
  return runs;
}

function put(runs: Run[], kind: Run["kind"], left: string, right: string): void {
  const last = runs.at(-1);
  if (last?.kind !== kind) {
    runs.push({ kind, left, right });
    return;
  }
  last.left += left;
  last.right += right;
}

/** Words, the spaces between them, and signs, each by itself. */
function words(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
}
