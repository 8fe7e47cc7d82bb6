import { type Api, at } from "../../shared/api";
import type { MessageList, RenderReply } from "../../types/server";

export const COPIES: [string, string][] = [
  ["markdown", "Markdown"],
  ["html", "HTML"],
  ["text", "plain text"],
];
export const EXPORTS: [string, string][] = [
  ["bibtex", "BibTeX"],
  ["csl-json", "CSL-JSON"],
  ["annotations", "W3C annotations"],
];
const FILES: Record<string, [string, string]> = {
  bibtex: ["sources.bib", "application/x-bibtex"],
  "csl-json": ["sources.json", "application/json"],
  annotations: ["annotations.jsonld", "application/ld+json"],
};

/** Returns an answer of a conversation with its references, as the server writes it. */
export async function exported(
  api: Api,
  conversation: string,
  messageId: string,
  to: string,
  title: string,
): Promise<string> {
  const found = await api.get<MessageList>(at`/api/conversations/${conversation}/messages`);
  const bodies = found.messages.map(
    (one) => one.body["answer"] as { text?: string; shown?: { message_id?: string } },
  );
  const answer = bodies.find((one) => one?.shown?.message_id === messageId)?.text;
  if (answer === undefined) throw new Error("This answer is not kept, so it cannot be written out.");
  const reply = await api.post<RenderReply>("/api/render", {
    answer,
    conversation_id: conversation,
    to,
    title,
  });
  return reply.text;
}

/** Lets the browser save a text as a file. */
export function save(text: string, to: string): void {
  const [name, type] = FILES[to] ?? ["answer.txt", "text/plain"];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
