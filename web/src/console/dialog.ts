import { html, nothing, type RootPart, render, type TemplateResult } from "lit";
import { refusal } from "../shared/api";
import { freshId } from "../shared/ids";
import { notice } from "./screen";

export interface Choice {
  value: string;
  label: string;
  kind?: "primary" | "danger";
}

export interface Question {
  title: string;
  body: TemplateResult | string;
  choices: Choice[];
  /** Does what was chosen; the dialog stays open and says so when that fails. */
  act: (choice: string, form: HTMLFormElement) => Promise<void>;
}

/** Asks a question in a dialog of the browser's own; returns what was done, or null when it was left. */
export function ask(question: Question): Promise<string | null> {
  const dialog = document.createElement("dialog");
  const title = `dialog-${freshId()}`;
  dialog.setAttribute("aria-labelledby", title);
  let fault = "";
  let busy = false;
  let done: string | null = null;

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const choice = (event.submitter as HTMLButtonElement | null)?.value || question.choices[0]?.value || "";
    if (busy) return;
    busy = true;
    draw();
    try {
      await question.act(choice, form);
      done = choice;
      dialog.close();
    } catch (error) {
      fault = refusal(error).message;
    }
    busy = false;
    draw();
  };

  const draw = (): RootPart =>
    render(
      html`<form @submit=${submit}>
        <h2 id=${title}>${question.title}</h2>
        <div class="dialog-body">
          ${typeof question.body === "string" ? html`<p>${question.body}</p>` : question.body}
          ${fault ? notice("bad", fault) : nothing}
        </div>
        <div class="actions">
          ${question.choices.map(
            (one) =>
              html`<button class="button ${one.kind ?? ""}" value=${one.value} ?disabled=${busy}>${one.label}</button>`,
          )}
          <button type="button" class="button quiet" @click=${() => dialog.close()}>Cancel</button>
        </div>
      </form>`,
      dialog,
    );

  draw();
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(done);
    });
  });
}
