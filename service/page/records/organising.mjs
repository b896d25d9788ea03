/** The creator's forms for a tournament: change its texts, remove, disqualify or reinstate entrants,
 * end it early, download its games before everybody can. */

import { client } from "../account.mjs";
import { file, save } from "../files.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { isFinal } from "./standings.mjs";
import { texts } from "../texts/texts.mjs";

/** Sends a request, and shows its outcome. @typedef {(ask: () => Promise<unknown>) => void} Act */

const words = texts.tournaments.organising;
const LONGEST_REASON = 200;

/** @param {Tournament} tournament @param {{ isBusy: boolean, problem: string }} state @param {Act} act */
export function organising(tournament, { isBusy, problem }, act) {
  const path = `/v1/tournaments/${tournament.id}`;
  const isOpen = tournament.status === "open";
  const isOver = tournament.status === "finished";
  const mayJudge = !isFinal(tournament);
  /** A form; its request gets the values of its fields.
   * @param {string} title @param {string} send the text of its button @param {unknown} fields
   * @param {(given: Record<string, string>) => Promise<unknown>} ask */
  const form = (title, send, fields, ask) => ({
    title,
    shown: html`<details>
      <summary>${title}</summary>
      <form
        class="setting-up"
        @submit=${(/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const form = /** @type {HTMLFormElement} */ (event.target);
          const given = Object.fromEntries(
            [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
          );
          act(async () => {
            await ask(given);
            form.reset();
            form.closest("details")?.removeAttribute("open");
          });
        }}
      >
        ${fields}<button aria-disabled=${isBusy}>${send}</button>
      </form>
    </details>`,
  });
  const reason = (required = false) =>
    html`<label
      >${required ? words.reason : words.reasonIfAny}
      <input name="reason" maxlength=${LONGEST_REASON} ?required=${required} autocomplete="off"
    /></label>`;
  const out = new Set((tournament.disqualified ?? []).map(({ entrant }) => entrant));
  const here = tournament.entrants.filter(({ entrant }) => !out.has(entrant));
  /** @param {{ entrant: string, player: { name: string } }[]} rows */
  const choice = (rows) =>
    html`<label
      >${texts.tournaments.entrant}
      <select name="entrant">
        ${rows.map(
          ({ entrant, player }) => html` <option value=${entrant}>${player.name}</option>`,
        )}
      </select></label
    >`;
  const whom = choice(here);
  const forms = [];
  if (!isOver)
    forms.push(
      form(
        words.edit,
        texts.app.save,
        html` <label
            >${texts.app.name}
            <input
              name="name"
              required
              maxlength="40"
              .defaultValue=${tournament.name}
              autocomplete="off"
          /></label>
          <label
            >${texts.tournaments.description}
            <textarea
              name="description"
              maxlength="1000"
              rows="3"
              .defaultValue=${tournament.description ?? ""}
            ></textarea>
          </label>
          <label
            >${texts.tournaments.rules}
            <textarea
              name="rules"
              maxlength="10000"
              rows="5"
              .defaultValue=${tournament.rules ?? ""}
            ></textarea>
          </label>`,
        ({ name, description, rules }) =>
          client.patch(path, {
            body: { name, description: description || null, rules: rules || null },
          }),
      ),
    );
  if (isOpen)
    forms.push(
      form(
        words.entry,
        texts.app.save,
        html`<label
          >${texts.tournaments.entry}
          <select name="entry">
            ${Object.entries(texts.tournaments.entries).map(
              ([value, said]) =>
                html`<option value=${value} ?selected=${value === tournament.settings.entry}>
                  ${said}
                </option>`,
            )}
          </select></label
        >`,
        (given) => client.patch(path, { body: given }),
      ),
    );
  if (isOpen && here.length)
    forms.push(
      form(
        words.remove,
        words.remove,
        html`${whom}${reason()}
          <label><input type="checkbox" name="keep_out" value="true" /> ${words.keepOut}</label>`,
        ({ entrant, reason, ...more }) =>
          client.delete(`${path}/entries/${entrant}`, {
            query: reason ? { reason, ...more } : more,
          }),
      ),
    );
  if (!isOpen && mayJudge && here.length)
    forms.push(
      form(
        words.disqualify,
        words.disqualify,
        html`<p>${words.seen}</p>
          ${whom}${reason(true)}`,
        (given) =>
          client.post(`${path}/entries/${given.entrant}/disqualification`, {
            body: { reason: given.reason },
          }),
      ),
    );
  const barred = [
    ...(tournament.disqualified ?? []),
    ...(tournament.removed ?? []).filter((removal) => removal.kept_out),
  ];
  if (mayJudge && barred.length)
    forms.push(
      form(words.reinstate, words.reinstate, choice(barred), (given) =>
        client.delete(`${path}/entries/${given.entrant}/disqualification`),
      ),
    );
  if (isOver && mayJudge)
    forms.push(
      form(words.archive, words.archive, html`<p>${words.archiveMeans}</p>`, async () => {
        save(await (await file(`${path}/archive.zip`)).blob(), `${tournament.id}.zip`);
      }),
    );
  if (!isOver && !tournament.last_round)
    forms.push(
      form(
        isOpen ? words.callOff : words.end,
        isOpen ? words.callOff : words.end,
        html`<p>${isOpen ? words.callOffMeans : words.endMeans}</p>
          ${reason()}`,
        (given) =>
          client.post(`${path}/end`, { body: given.reason ? { reason: given.reason } : {} }),
      ),
    );
  return html`<section class="card organising">
    <h2>${words.title}</h2>
    ${repeat(
      forms,
      ({ title }) => title,
      ({ shown }) => shown,
    )}${problem && isOver ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
  </section>`;
}
