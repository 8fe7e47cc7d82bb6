/** The look of the widget. It lives in a shadow root, and is the same on every page. */
/** Where the panel fills the screen. */
export const NARROW = "(max-width: 480px)";
export const STYLES = `
:host { all: initial; color-scheme: light dark; }
:host([data-look="light"]) { color-scheme: light; }
:host([data-look="dark"]) { color-scheme: dark; }
* { box-sizing: border-box; }
.root {
  --paper: light-dark(#faf9f6, #17181a); --surface: light-dark(#fff, #1f2023); --sunk: light-dark(#f3f1ec, #121315);
  --ink: light-dark(#1d1c1a, #eceae6); --soft: light-dark(#5e5a53, #aaa69f); --line: light-dark(#e4e1da, #34353a);
  --accent: light-dark(#14545a, #86ccd0); --accent-ink: light-dark(#fff, #0c2022);
  --wash: light-dark(#e6f0f0, #1d3234); --mark: light-dark(#ffe79a, #6b5a12); --bad: light-dark(#9a2226, #f3a29c);
  font: 400 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  color: var(--ink); text-align: start; letter-spacing: normal;
}
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
.bubble {
  position: fixed; inset-block-end: 20px; inset-inline-end: 20px; z-index: 2147483000; inline-size: 56px;
  block-size: 56px; border: 0; border-radius: 50%; background: var(--accent); color: var(--accent-ink);
  box-shadow: 0 4px 16px rgb(0 0 0 / .25); display: grid; place-items: center;
}
.bubble svg { inline-size: 26px; block-size: 26px; }
.panel {
  position: fixed; inset-block-end: 88px; inset-inline-end: 20px; z-index: 2147483000; display: flex;
  flex-direction: column; inline-size: min(400px, calc(100vw - 40px)); block-size: min(620px, calc(100dvh - 120px));
  background: var(--surface); border: 1px solid var(--line); border-radius: 14px; overflow: hidden;
  box-shadow: 0 12px 40px rgb(0 0 0 / .28);
}
.head { display: flex; align-items: center; gap: 8px; padding: 12px 8px 12px 16px; border-block-end: 1px solid var(--line); }
.head h2 { flex: 1; margin: 0; font-size: 16px; font-weight: 650; overflow-wrap: anywhere; }
.icon { border: 0; background: none; inline-size: 40px; block-size: 40px; border-radius: 8px; display: grid; place-items: center; color: var(--soft); }
.icon:hover { background: var(--sunk); color: var(--ink); }
.log { flex: 1; overflow-y: auto; padding: 16px; display: flex; flex-direction: column; gap: 14px; overscroll-behavior: contain; }
.greeting { color: var(--soft); margin: 0; }
.mine { align-self: flex-end; max-inline-size: 85%; margin: 0; padding: 8px 12px; border-radius: 12px 12px 2px 12px; background: var(--wash); overflow-wrap: anywhere; white-space: pre-wrap; }
.theirs { overflow-wrap: anywhere; }
.theirs > :first-child { margin-block-start: 0; }
.theirs > :last-child { margin-block-end: 0; }
.theirs p, .theirs ul, .theirs ol, .theirs pre, .theirs table, .theirs blockquote { margin: 0 0 10px; }
.theirs ul, .theirs ol { padding-inline-start: 22px; }
.theirs h1, .theirs h2, .theirs h3, .theirs h4, .theirs h5, .theirs h6 { font-size: 15px; font-weight: 650; margin: 12px 0 6px; }
.theirs pre { background: var(--sunk); padding: 10px; border-radius: 8px; overflow-x: auto; }
.theirs code { font: 13px/1.5 ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
.theirs table { border-collapse: collapse; display: block; overflow-x: auto; }
.theirs th, .theirs td { border: 1px solid var(--line); padding: 4px 8px; text-align: start; }
.theirs blockquote { border-inline-start: 3px solid var(--line); padding-inline-start: 10px; color: var(--soft); }
a { color: var(--accent); }
.number {
  display: inline-grid; place-items: center; min-inline-size: 22px; block-size: 22px; padding: 0 5px; margin: 0 1px;
  border: 1px solid transparent; border-radius: 6px; background: var(--wash); color: var(--accent); font-size: 12px;
  font-weight: 650; line-height: 1; vertical-align: 1px; position: relative;
}
.number::after { content: ""; position: absolute; inset: -6px; }
.number:hover { border-color: var(--accent); }
.fault { margin: 0; color: var(--bad); }
.wait { color: var(--soft); }
.again { border: 1px solid var(--line); background: none; border-radius: 8px; padding: 6px 12px; margin-block-start: 8px; }
.ask { display: flex; gap: 8px; padding: 12px; border-block-start: 1px solid var(--line); align-items: flex-end; }
.ask textarea { flex: 1; resize: none; block-size: 44px; max-block-size: 140px; padding: 10px 12px; border: 1px solid light-dark(#8b877f, #75757b); border-radius: 10px; background: var(--surface); }
.send { border: 0; border-radius: 10px; block-size: 44px; padding: 0 16px; background: var(--accent); color: var(--accent-ink); font-weight: 600; }
.send[disabled] { opacity: .55; cursor: default; }
.source { position: absolute; inset: 0; background: var(--surface); display: flex; flex-direction: column; }
.source .body { flex: 1; overflow-y: auto; padding: 16px; display: flex; flex-direction: column; gap: 12px; }
.source h3 { margin: 0; font-size: 16px; font-weight: 650; overflow-wrap: anywhere; }
.where { margin: 0; color: var(--soft); font-size: 13px; }
.snippet { margin: 0; padding: 12px 14px; background: var(--sunk); border-radius: 8px; font-family: Georgia, ui-serif, serif; white-space: pre-wrap; overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
.source canvas { max-inline-size: 100%; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
.open { align-self: flex-start; }
.lit { position: fixed; inset-block-end: 24px; inset-inline-start: 50%; translate: -50% 0; z-index: 2147483000; display: flex; gap: 10px; align-items: center; padding: 6px 6px 6px 16px; border-radius: 999px; background: var(--surface); border: 1px solid var(--line); box-shadow: 0 4px 16px rgb(0 0 0 / .2); max-inline-size: calc(100vw - 176px); white-space: nowrap; }
.lit .what { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; }
.lit button { white-space: nowrap; border: 0; background: var(--wash); color: var(--accent); border-radius: 999px; padding: 6px 14px; font-weight: 600; }
.said { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.boxes { position: absolute; inset-block-start: 0; inset-inline-start: 0; inline-size: 0; block-size: 0; z-index: 2147482999; pointer-events: none; }
.boxes div { position: absolute; background: #ffd84d; opacity: .45; }
@media ${NARROW} {
  .panel { inset: 0; inline-size: 100%; block-size: 100dvh; border: 0; border-radius: 0; }
  .panel:not([hidden]) ~ .bubble { display: none; }
  .icon { inline-size: 44px; block-size: 44px; }
  /* The bar leads to the answer too, so it has the whole width to itself. */
  .lit { inset-inline: 12px; translate: none; max-inline-size: none; gap: 6px; padding-inline-start: 16px; font-size: 13px; border-radius: 28px; inset-block-end: 20px; }
  .lit .what { flex: 1; white-space: normal; line-height: 1.25; }
  .lit button { padding: 10px; min-block-size: 44px; }
  .bubble:has(~ .lit:not([hidden])) { display: none; }
}
@media (prefers-reduced-motion: no-preference) { .panel { animation: rise .16s ease-out; } @keyframes rise { from { opacity: 0; translate: 0 8px; } } }
`;

/** Whether dark words read better on a colour of six digits. */
export function bright(color: string): boolean {
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return part(1) * 0.299 + part(3) * 0.587 + part(5) * 0.114 > 150;
}
