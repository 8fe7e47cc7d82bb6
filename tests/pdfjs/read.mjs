// Prints what pdf.js finds in a PDF, as JSON: for each page its size and the highlights on it, their corners in fractions
// of the page as pdf.js shows it. `node read.mjs PDFJS-FOLDER FILE`
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { getDocument } = await import(pathToFileURL(`${folder}/legacy/build/pdf.mjs`).href);
const pdf = await getDocument({ data: new Uint8Array(readFileSync(file)), verbosity: 0, useSystemFonts: true }).promise;
const pages = [];
for (let number = 1; number <= pdf.numPages; number++) {
  const page = await pdf.getPage(number);
  const view = page.getViewport({ scale: 1 });
  const marks = [];
  for (const one of await page.getAnnotations()) {
    if (one.subtype !== "Highlight") continue;
    const points = Array.from(one.quadPoints ?? []);
    const quads = [];
    for (let at = 0; at + 7 < points.length; at += 8) {
      const corners = [];
      for (let next = at; next < at + 8; next += 2) {
        const [x, y] = view.convertToViewportPoint(points[next], points[next + 1]);
        corners.push([x / view.width, y / view.height]);
      }
      quads.push(corners);
    }
    marks.push({ text: one.contentsObj.str, title: one.titleObj.str, appearance: one.hasAppearance, quads });
  }
  pages.push({ width: view.width, height: view.height, rotation: page.rotate, marks });
}
console.log(JSON.stringify(pages));
