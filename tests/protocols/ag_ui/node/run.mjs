// Reads one stream with the official client of AG-UI, and prints as JSON what it made of it.
//
//   node run.mjs FOLDER    FOLDER is node_modules/@ag-ui/client; standard input is {url, headers, messages, state}
import { pathToFileURL } from "node:url";
import path from "node:path";

process.env.SUPPRESS_TRANSFORMATION_WARNINGS = "true";
console.warn = () => {};

const folder = process.argv[2];
const { HttpAgent } = await import(pathToFileURL(path.join(folder, "dist", "index.mjs")));

let text = "";
for await (const piece of process.stdin) text += piece;
const given = JSON.parse(text);

const agent = new HttpAgent({
  url: given.url,
  headers: given.headers ?? {},
  threadId: given.threadId,
  initialMessages: given.messages,
  initialState: given.state,
});
const custom = [];
const types = [];
let error = null;
try {
  await agent.runAgent(
    { runId: given.runId },
    {
      onEvent: ({ event }) => void types.push(event.type),
      onCustomEvent: ({ event }) => void custom.push({ name: event.name, value: event.value }),
      onRunErrorEvent: ({ event }) => void (error = event.message),
    },
  );
} catch (caught) {
  error = String(caught.message ?? caught);
}
console.log(JSON.stringify({ messages: agent.messages, state: agent.state, custom, types, error }));
