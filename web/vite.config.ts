import { defineConfig } from "vite";

// The console is the page `index.html`. The widget, one file for other people's pages, becomes an entry of its own.
export default defineConfig({
  base: "/",
  publicDir: false,
  build: {
    outDir: "../src/pincite/server/static",
    emptyOutDir: true,
    // Browsers that know `light-dark()`: the colours are said once, and not twice over.
    target: ["chrome123", "edge123", "firefox121", "safari17.5"],
    cssTarget: ["chrome123", "edge123", "firefox121", "safari17.5"],
    // Nothing inline: what the page needs comes as files, which the server's policy lets through.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: { input: { console: "index.html" } },
  },
});
