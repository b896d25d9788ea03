/** The viewer's actions in a tournament: enter, withdraw; its creator may also start it. */

import { account, client, invitationCode, signedIn } from "../account.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";

const words = texts.tournaments;

/** Whether the viewer is the creator. @param {Tournament} tournament */
export const organises = ({ creator }) => creator === account()?.id;

/** @param {Tournament} tournament @param {{ isBusy: boolean, problem: string }} state
 * @param {(ask: () => Promise<unknown>) => void} act sends the request, and shows its outcome */
export function takingPart(tournament, { isBusy, problem }, act) {
  if (tournament.status === "finished") return nothing;
  const { entrants, invitation, settings, status } = tournament;
  const me = account()?.id;
  const isIn = entrants.some((entrant) => entrant.entrant === me && !entrant.withdrawn);
  const isOpen = status === "open";
  const isMine = organises(tournament);
  const path = `/v1/tournaments/${tournament.id}`;
  const button = (
    /** @type {string} */ said,
    /** @type {() => Promise<unknown>} */ ask,
    main = false,
  ) =>
    html` <button class=${main ? "main" : ""} aria-disabled=${isBusy} @click=${() => act(ask)}>
      ${said}
    </button>`;
  /** @param {SubmitEvent} event */
  const enter = (event) => {
    event.preventDefault();
    const said = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const code = invitation ?? said.get("invitation");
    act(async () => {
      await signedIn();
      await client.post(`${path}/entries`, {
        body: code ? { invitation: String(code).trim() } : {},
      });
    });
  };
  const asksForCode = settings.entry === "invitation" && !invitation;
  return html`<section class="actions" aria-label=${words.actions} tabindex="-1">
    ${
      isIn
        ? html`<p>${words.entered}</p>
            ${button(words.leave, () => client.delete(`${path}/entries/me`))}`
        : isOpen && (settings.entry !== "closed" || isMine)
          ? html`<form class="choices" @submit=${enter}>
              ${
                asksForCode
                  ? html`<label
                      >${words.code}
                      <input
                        name="invitation"
                        required
                        autocomplete="off"
                        value=${invitationCode() ?? ""}
                    /></label>`
                  : nothing
              }
              <button class=${isMine ? "" : "main"} aria-disabled=${isBusy}>${words.enter}</button>
            </form>`
          : nothing
    }
    ${isMine && isOpen ? button(words.start, () => client.post(`${path}/start`), true) : nothing}
    ${
      invitation && isOpen
        ? html`<label class="whole"
            >${words.link}
            <input
              readonly
              value=${`${location.origin}/tournaments/${tournament.id}#join=${invitation}`}
              @focus=${(/** @type {any} */ event) => event.target.select()}
          /></label>`
        : nothing
    }
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
  </section>`;
}
