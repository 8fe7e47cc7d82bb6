import { defineConfig } from "vite";

// The widget is one script for other people's pages: no hash in its name, and nothing that it would have to load.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/pincite/server/static",
    emptyOutDir: false,
    target: ["chrome123", "edge123", "firefox121", "safari17.5"],
    reportCompressedSize: false,
    lib: { entry: "src/widget/main.ts", name: "pincite", formats: ["iife"], fileName: () => "widget.js" },
  },
});
