// Holds streams against the official client's own rules of order, and prints what it would refuse of each.
//
//   node verify.mjs FOLDER    FOLDER is node_modules/@ag-ui/client; standard input is a list of lists of events
import { createRequire } from "node:module";
import path from "node:path";

console.warn = () => {};

const require = createRequire(path.join(process.argv[2], "package.json"));
const { verifyEvents } = require("@ag-ui/client");
const { from } = require("rxjs");

let text = "";
for await (const piece of process.stdin) text += piece;

const found = JSON.parse(text).map((events) => {
  let error = null;
  from(events)
    .pipe(verifyEvents(false))
    .subscribe({ error: (caught) => void (error = String(caught.message ?? caught)) });
  return error;
});
console.log(JSON.stringify(found));
