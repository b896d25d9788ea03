/** Which invitations the account takes, and the accounts that it has blocked. */

import { client } from "../account.mjs";
import { boardNames } from "../records/words.mjs";
import { html } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";
import { doing } from "../why.mjs";

/** @typedef {API["OwnAccount"]} Own */

const ADDRESS = "/v1/me";

/** Block an account, or no longer; return the caller's account. @param {string} id @param {boolean} isBlocked
 * @returns {Promise<Own>} */
export async function block(id, isBlocked) {
  /** @type {Own} */ const { blocked } = await client.get(ADDRESS);
  return client.patch(ADDRESS, {
    body: { blocked: [...blocked.filter((one) => one !== id), ...(isBlocked ? [id] : [])] },
  });
}

export class Invitations {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {Own | null} */ this.own = null;
    /** The names of boards, by id. @type {Map<string, string>} */ this.boards = new Map();
    /** The names of the blocked, by id. @type {Map<string, string>} */ this.names = new Map();
    this.said = "";
    this.problem = "";
    this.isBusy = false;
    void this.act(() => client.get(ADDRESS), "");
  }

  /** Run a request that answers with the account. @param {() => Promise<Own>} ask
   * @param {string} said if it succeeds */
  async act(ask, said) {
    this.said = "";
    await doing(this, this.draw, async () => {
      this.own = await ask();
      if (!this.boards.size) this.boards = await boardNames();
      for (const id of this.own?.blocked ?? []) {
        if (!this.names.has(id))
          this.names.set(
            id,
            await client.get(`/v1/players/${id}`).then(
              ({ name }) => name,
              () => id,
            ),
          );
      }
      this.said = said;
    });
  }

  /** @param {SubmitEvent} event */
  save(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    void this.act(
      () =>
        client.patch(ADDRESS, {
          body: {
            invitations: {
              shortest_clock: Number(form.get("shortest_clock")),
              open: Number(form.get("open")),
              boards: form.getAll("boards").map(String),
            },
          },
        }),
      texts.invitations.saved,
    );
  }

  show() {
    const words = texts.invitations;
    const { own } = this;
    return html`${
        !own
          ? ""
          : html`<form
                class="fields"
                @submit=${(/** @type {SubmitEvent} */ event) => this.save(event)}
              >
                <label
                  >${words.open}
                  <input
                    name="open"
                    type="number"
                    min="0"
                    max="100"
                    required
                    .defaultValue=${String(own.invitations.open)}
                /></label>
                <label
                  >${words.shortestClock}
                  <input
                    name="shortest_clock"
                    type="number"
                    min="0"
                    max="86400"
                    step="any"
                    required
                    .defaultValue=${String(own.invitations.shortest_clock)}
                /></label>
                <fieldset class="row">
                  <legend>${words.boards}</legend>
                  ${[...this.boards].map(
                    ([id, name]) =>
                      html`<label>
                        <input
                          type="checkbox"
                          name="boards"
                          value=${id}
                          ?checked=${own.invitations.boards.includes(id)}
                        />
                        ${name}</label
                      >`,
                  )}
                </fieldset>
                <button>${texts.app.save}</button>
              </form>
              <p>${own.blocked.length ? words.blocked : words.nobodyIsBlocked}</p>
              <ul class="blocked">
                ${own.blocked.map(
                  (id) =>
                    html`<li class="row">
                      <bdi>${this.names.get(id) ?? id}</bdi>
                      <button @click=${() => this.act(() => block(id, false), "")}>
                        ${texts.players.unblock}
                      </button>
                    </li>`,
                )}
              </ul>`
      }
      <p role="status">${this.said}</p>
      <p class="problem" role="alert">${this.problem}</p>`;
  }
}
