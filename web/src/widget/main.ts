/** One script tag puts the assistant on a page: `<script src=".../widget.js" data-key="kve_..." async></script>`. */
import { Widget } from "./widget";

const NAME = "pincite-widget";

const script = document.currentScript;
const key = script instanceof HTMLScriptElement ? script.dataset["key"] : undefined;
if (script instanceof HTMLScriptElement && key && !customElements.get(NAME)) {
  const base = new URL(script.src).origin;
  customElements.define(NAME, Widget);
  const begin = (): void => {
    const widget = document.createElement(NAME) as Widget;
    document.body.append(widget);
    widget.begin(base, key);
  };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin, { once: true });
}
