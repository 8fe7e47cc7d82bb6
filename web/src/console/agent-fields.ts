import { html, type TemplateResult } from "lit";
import { plain } from "../shared/words";
import type { AgentBody, CollectionBody, HighlightPrecision, PackageBody } from "../types/server";

export const HIGHLIGHTS: { value: HighlightPrecision; label: string; help: string }[] = [
  {
    value: "best_match",
    label: "Best match",
    help: "The part of the passage that bears out the sentence which cites it.",
  },
  { value: "whole_passage", label: "Whole passage", help: "All of the cited passage." },
  {
    value: "models_quote",
    label: "Model’s quote",
    help: "The words that a small model picks, once they are found in the passage; else the best match.",
  },
];

export const FORMATS: { value: string; label: string }[] = [
  { value: "ref", label: "ref – [9f2a1b7c]" },
  { value: "short_id", label: "short_id – [[9f2a1b7c]]" },
  { value: "inline_url", label: "inline_url – [[1]](address “words”)" },
  { value: "sup_numeric", label: "sup_numeric – raised numbers" },
  { value: "evidence_id", label: "evidence_id – [ev1:…]" },
  { value: "deferred", label: "deferred – plain prose" },
];

/** The setting named "Citation highlight", in an agent's form and in a workflow's dialog. */
function highlightField(chosen: HighlightPrecision): TemplateResult {
  return html`<fieldset>
    <legend>Citation highlight</legend>
    ${HIGHLIGHTS.map(
      (one) => html`<label class="choice"><input type="radio" name="highlight" value=${one.value}
        .checked=${one.value === chosen} /><span><strong>${one.label}</strong><span class="help">${one.help}</span></span>
      </label>`,
    )}
  </fieldset>`;
}

/** The collections that an agent may look into. */
function collectionsField(collections: CollectionBody[], chosen: string[]): TemplateResult {
  return html`<fieldset>
    <legend>Collections</legend>
    <p class="help">With none chosen it looks into all of them, also those that are made later.</p>
    <div class="choices">
      ${collections.map(
        (
          one,
        ) => html`<label class="choice"><input type="checkbox" name="collections" value=${one.collection_id}
          .checked=${chosen.includes(one.collection_id)} /><span><bdi>${plain(one.name)}</bdi></span></label>`,
      )}
    </div>
  </fieldset>`;
}

/** Whether it looks into the server's packages too; where there are none, a sentence says so. */
function packagesField(isChosen: boolean, packages: number): TemplateResult {
  return html`<fieldset>
    <legend>Packages</legend>
    <label class="choice"><input type="checkbox" name="moca" .checked=${isChosen} aria-describedby="moca-help" />
      <span><strong>MOCA packages of the server</strong><span class="help" id="moca-help">It looks into them beside the
        collections, and readers see what is known of each source: who signed it, who reviewed it, and whether it is
        out of date.${packages === 0 ? " The server has no packages yet, so this changes nothing." : ""}</span></span>
    </label>
  </fieldset>`;
}

/** All fields of an agent or workflow, as its form and dialog have them. */
export function agentFields(
  one: AgentBody | null,
  collections: CollectionBody[],
  packages: PackageBody[],
): TemplateResult {
  const there = packages.filter((each) => each.status === "ready").length;
  return html`
    <section aria-labelledby="who-title">
      <h2 id="who-title">What it is</h2>
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" required maxlength="200" autocomplete="off" .value=${one?.name ?? ""} />
      </div>
      ${one === null ? kindField() : ""}
    </section>
    <section aria-labelledby="knowledge-title">
      <h2 id="knowledge-title">Knowledge</h2>
      ${collectionsField(collections, one?.collections ?? [])}
      ${packagesField(one?.moca ?? false, there)}
      <div class="field">
        <label for="wire">Wire format</label>
        <select id="wire" name="wire_format" aria-describedby="wire-help">
          ${FORMATS.map(
            (format) =>
              html`<option value=${format.value} ?selected=${format.value === (one?.wire_format ?? "ref")}>${format.label}</option>`,
          )}
        </select>
        <p class="help" id="wire-help">How the model writes a citation. Readers see numbers, whichever it is.</p>
      </div>
      ${highlightField(one?.highlight ?? "best_match")}
    </section>
    <section aria-labelledby="model-title">
      <h2 id="model-title">Model</h2>
      <div class="field">
        <label for="model">Model</label>
        <input id="model" name="model" maxlength="200" autocomplete="off" spellcheck="false" aria-describedby="model-help"
          placeholder="The platform’s model" .value=${one?.model ?? ""} />
        <p class="help" id="model-help">As <code>provider:model</code>. Left empty it is the platform’s; where there is none,
          answers are made of quotations.</p>
      </div>
      <div class="field">
        <label for="instructions">Instructions</label>
        <textarea id="instructions" name="instructions" rows="6" maxlength="20000" aria-describedby="instructions-help"
          .value=${one?.instructions ?? ""}></textarea>
        <p class="help" id="instructions-help">What it should know of its task. How to cite is told to it as well.</p>
      </div>
    </section>
  `;
}

function kindField(): TemplateResult {
  return html`<fieldset>
    <legend>Kind</legend>
    <label class="choice"><input type="radio" name="kind" value="agent" checked />
      <span><strong>Agent</strong><span class="help">A model that decides itself what to look for, and how often.</span></span></label>
    <label class="choice"><input type="radio" name="kind" value="workflow" />
      <span><strong>Workflow</strong><span class="help">A fixed line: retrieve, answer, check, repair.</span></span></label>
  </fieldset>`;
}

/** Returns what a form says, as the server takes it. */
export function agentOf(form: HTMLFormElement): Record<string, unknown> {
  const data = new FormData(form);
  const said: Record<string, unknown> = { collections: data.getAll("collections"), moca: data.has("moca") };
  for (const name of ["name", "kind", "wire_format", "highlight", "instructions"])
    if (data.has(name)) said[name] = data.get(name);
  if (data.has("model")) said["model"] = String(data.get("model")).trim() || null;
  return said;
}
