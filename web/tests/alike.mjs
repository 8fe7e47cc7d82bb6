// Says what the widget makes of texts, to be compared with what the library makes of them: JSON in, JSON out.
//   node tests/alike.mjs < texts.json
import { text as whole } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const vite = await createServer({
  root: fileURLToPath(new URL("..", import.meta.url)),
  appType: "custom",
  logLevel: "error",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { fold, textOf } = await vite.ssrLoadModule("/src/widget/fold.ts");
  const { wordsFragment } = await vite.ssrLoadModule("/src/widget/fragment.ts");
  const { folds, fragments } = JSON.parse(await whole(process.stdin));
  const said = {
    folds: folds.map((one) => textOf(fold(one))),
    fragments: fragments.map(wordsFragment),
  };
  process.stdout.write(JSON.stringify(said));
} finally {
  await vite.close();
}
