/** Where the console is: which screen, of which thing, on which tab. */
export interface Place {
  screen: "start" | "ask" | "library" | "collection" | "agents" | "agent" | "check" | "nowhere";
  id: string;
  tab: string;
}

/** Returns the place that a path names. */
export function placeOf(path: string): Place {
  const parts = path.split("/").filter(Boolean).map(decoded);
  const [first, second = "", third = "", ...rest] = parts[0] === "console" ? parts.slice(1) : parts;
  const place = (screen: Place["screen"], id = "", tab = ""): Place => ({ screen, id, tab });
  if (rest.length > 0) return place("nowhere");
  if (first === undefined) return place("start");
  if (first === "library" && !second) return place("library");
  if (first === "ask" && !third) return place("ask", second);
  if (first === "collections" && second && ["", "settings"].includes(third))
    return place("collection", second, third);
  if (first === "agents" && !second) return place("agents");
  if (first === "agents" && ["", "embed"].includes(third)) return place("agent", second, third);
  if (first === "check" && ["", "quotes"].includes(second) && !third) return place("check", "", second);
  return place("nowhere");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Gives what is on the screen another address; who is there stays where they are. */
export function rename(path: string): void {
  history.replaceState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state: STAYS }));
}

/** The state of the event by which an address is told that was changed for what is on the screen already. */
export const STAYS = "stays";

/** Goes to a screen of the console without loading the page again. */
export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}
