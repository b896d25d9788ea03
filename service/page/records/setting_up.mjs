/** The form for a new tournament, with the common settings. The API has more. */

import { client, signedIn } from "../account.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";
import { doing } from "../why.mjs";

const words = texts.tournaments;
const FORMATS = /** @type {const} */ (["round_robin", "swiss", "knockout"]);

/** The form, as a function that shows it. @param {Map<string, string>} boards what they are called, by id
 * @param {API["Bot"][]} bots @param {(to: string) => void} go @param {() => void} draw */
export function settingUp(boards, bots, go, draw) {
  const state = { isBusy: false, problem: "" };
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    return doing(state, draw, async () => {
      await signedIn();
      const made = await client.post("/v1/tournaments", { body: wish(form) });
      for (const bot of form.getAll("bots")) {
        await client.post(`/v1/tournaments/${made.id}/entries`, { body: { bot } });
      }
      go(`/tournaments/${made.id}`);
    });
  };
  const choice = (/** @type {string} */ name, /** @type {[string, string][]} */ options) =>
    html` <select name=${name}>
      ${options.map(([value, said]) => html`<option value=${value}>${said}</option>`)}
    </select>`;
  return () =>
    html`<details class="card">
      <summary><h2>${words.setUp}</h2></summary>
      <form class="setting-up" @submit=${send}>
        <label
          >${texts.app.name} <input name="name" required maxlength="40" autocomplete="off"
        /></label>
        <label
          >${words.description} <textarea name="description" maxlength="1000" rows="2"></textarea>
        </label>
        <label>${words.rules} <textarea name="rules" maxlength="10000" rows="2"></textarea></label>
        <label
          >${words.format}
          ${choice(
            "format",
            FORMATS.map((format) => [format, words.formats[format]]),
          )}</label
        >
        <fieldset>
          <legend>${texts.app.boards}</legend>
          ${[...boards].map(
            ([board, called], at) =>
              html`<label>
                <input type="checkbox" name="boards" value=${board} ?checked=${at === 0} />
                ${called}</label
              >`,
          )}
        </fieldset>
        <div class="choices">
          <label
            >${words.seats}
            ${choice(
              "seats",
              ["2", "3", "4", "5"].map((count) => [count, count]),
            )}</label
          >
          <label
            >${words.rounds}
            <input name="rounds" type="number" min="1" max="100" placeholder=${words.asItComes}
          /></label>
          <label
            >${words.perDecisionIn}
            <input name="per_decision" type="number" min="1" max="86400" value="60" required
          /></label>
        </div>
        <label
          ><input type="checkbox" name="deals" value="duplicate" /> ${words.duplicateDeals}</label
        >
        <label
          ><input type="checkbox" name="entry" value="invitation" /> ${words.byInvitation}</label
        >
        <fieldset>
          <legend>${words.botsToo}</legend>
          ${bots.map(
            (bot) =>
              html`<label>
                <input type="checkbox" name="bots" value=${bot.name} /> ${bot.name}</label
              >`,
          )}
        </fieldset>
        ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
        <button class="main" aria-disabled=${state.isBusy}>${words.setUp}</button>
      </form>
    </details>`;
}

/** Convert the form to the request body of the API. @param {FormData} form */
const wish = (form) => ({
  ...Object.fromEntries(
    ["name", "description", "rules"]
      .map((part) => [part, String(form.get(part)).trim()])
      .filter(([, text]) => text),
  ),
  format: form.get("format"),
  boards: form.getAll("boards"),
  seats: Number(form.get("seats")),
  deals: form.get("deals") ?? "independent",
  entry: form.get("entry") ?? "open",
  clock: { per_decision: Number(form.get("per_decision")) },
  ...(form.get("rounds") && form.get("format") !== "knockout"
    ? { rounds: Number(form.get("rounds")) }
    : {}),
});
