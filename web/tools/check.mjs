// Checks the web part: types, lint, units, generated types, and that the build that is committed is that of this source.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const BUILT = join(WEB, "..", "src", "pincite", "server", "static");
const WIDGET = ["--config", "vite.widget.config.ts"];
// It is loaded by other people's pages.
const MOST_WIDGET_BYTES = 60_000;
const bin = (name) => join(WEB, "node_modules", ".bin", name);

/** Runs a program and returns whether it ended well; what it says is shown where it did not. */
function run(name, program, ...given) {
  return new Promise((resolve) => {
    const child = spawn(program, given, { cwd: WEB, shell: sep === "\\" });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => {
        said += piece;
      });
    child.on("error", (error) => {
      said += String(error);
    });
    child.on("close", (code) => {
      console.log(`${name}: ${code === 0 ? "ok" : "FAILED"}`);
      if (code !== 0) console.log(said);
      resolve(code === 0);
    });
  });
}

/** Returns the files below a folder by their paths. */
async function files(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const read = await Promise.all(
    paths.map(async (path) => [path.slice(folder.length), await readFile(path)]),
  );
  return new Map(read);
}

async function builtAsCommitted() {
  const folder = await mkdtemp(join(tmpdir(), "pincite-web-"));
  try {
    if (
      !(await run(
        "build",
        bin("vite"),
        "build",
        "--outDir",
        folder,
        "--emptyOutDir",
        "--logLevel",
        "warn",
      )) ||
      !(await run("widget", bin("vite"), "build", ...WIDGET, "--outDir", folder, "--logLevel", "warn"))
    )
      return false;
    const size = gzipSync(await readFile(join(folder, "widget.js"))).length;
    if (size > MOST_WIDGET_BYTES) {
      console.log(`The widget has ${size} bytes packed, ${MOST_WIDGET_BYTES} is the most.`);
      return false;
    }
    const [made, kept] = await Promise.all([files(folder), files(BUILT)]);
    const names = new Set([...made.keys(), ...kept.keys()]);
    const other = [...names].filter((name) => !made.has(name) || !kept.get(name)?.equals(made.get(name)));
    if (other.length > 0)
      console.log(
        `The committed build is not of this source (${other.join(", ")}): run \`make web\` and commit it.`,
      );
    console.log(`build as committed: ${other.length === 0 ? "ok" : "FAILED"}`);
    return other.length === 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const results = await Promise.all([
  run("types", bin("tsc"), "--noEmit"),
  run("lint", bin("biome"), "ci", "--colors=off"),
  run("units", process.execPath, "--test", "tests/units.mjs", "tests/cited.mjs", "tests/widget.mjs"),
  run("generated types", process.execPath, "tools/types.mjs", "--check"),
  builtAsCommitted(),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
