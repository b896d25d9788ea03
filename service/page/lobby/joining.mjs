/** A game before its start: take or leave a seat, copy the invitation link, start with the present
 * players, or abort. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, client, invitationCode, signedIn } from "../account.mjs";
import { copy } from "../files.mjs";
import { named } from "../names.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { doing } from "../why.mjs";
import { word } from "../play/cards.mjs";

const words = texts.lobby.joining;

/** Sit down in a game, by the invitation of the address if there is one.
 * @param {string} game @param {number} [seat] */
async function sit(game, seat) {
  await signedIn();
  await client.post(`/v1/games/${game}/seats`, {
    body: {
      ...(seat !== undefined && { seat }),
      ...(invitationCode() && { invitation: invitationCode() }),
    },
  });
  history.replaceState(null, "", location.pathname + location.search); // it has been used
}

/** A game that has not begun, where its screen shows what one can do. */
export class Joining {
  /** @param {HTMLElement} root @param {Table} table */
  constructor(root, table) {
    this.root = root;
    this.table = table;
    this.problem = "";
    this.said = "";
    this.isBusy = false;
  }

  update() {
    const { view, board } = this.table;
    const me = account()?.id;
    const isMine = view.creator === me;
    const taken = view.seats.filter((/** @type {any} */ { player }) => player);
    const mySeat = taken.find((/** @type {any} */ { player }) => player.id === me)?.seat;
    const open = view.seats.length - taken.length;
    const mayStart = isMine && taken.length >= board.players.least && open && !view.fork;
    render(
      html`<div class="joining">
        <h2>${words.waiting(open)}</h2>
        <p>
          <strong>${board.name}</strong>
          <span class="faint"
            >${words.facts(
              board.players.least,
              board.players.most,
              board.trains,
              word(board, "train"),
              board.tickets.length,
            )}
            ${texts.app.clock(view.clock)}</span
          >
        </p>
        <ol>
          ${view.seats.map(
            (/** @type {any} */ row) =>
              html`<li>
                <span
                  >${seatBadge(row.seat)}
                  ${
                    row.invited
                      ? html`${named(row.invited)}
                          <small class="faint">${texts.lobby.rows.invited}</small>`
                      : named(row.player)
                  }</span
                >
                ${this.seatButton(row, { mySeat, isMine, me })}
              </li>`,
          )}
        </ol>
        ${this.link()}
        <p class="row">
          ${
            mayStart
              ? html`<button class="main" ?disabled=${this.isBusy} @click=${this.does("start")}>
                  ${words.start(taken.length)}
                </button>`
              : nothing
          }
          ${isMine ? html`<button ?disabled=${this.isBusy} @click=${this.does("abort")}>${words.abort}</button>` : nothing}
        </p>
        <p role="status">${this.said}</p>
        <p class="problem" role="alert">${this.problem}</p>
      </div>`,
      this.root,
    );
  }

  /** What one can do about a seat. @param {any} row
   * @param {{ mySeat: number | undefined, isMine: boolean, me: string | undefined }} who */
  seatButton({ seat, player, invited }, { mySeat, isMine, me }) {
    const isMe = invited && invited.id === me;
    const close = (/** @type {string} */ said) =>
      html`<button
        ?disabled=${this.isBusy}
        @click=${() =>
          this.act(() => client.delete(`/v1/games/${this.table.id}/invitations/${invited.id}`))}
      >
        ${said}
      </button>`;
    if (invited && !isMe) return isMine ? close(words.withdraw) : nothing;
    if (isMe) {
      return html`<button
          class="main"
          ?disabled=${this.isBusy}
          @click=${() => this.act(() => sit(this.table.id))}
        >
          ${words.sit}
        </button>
        ${close(texts.lobby.asked.decline)}`;
    }
    if (!player) {
      return mySeat !== undefined
        ? nothing
        : html`<button
            class="main"
            ?disabled=${this.isBusy}
            @click=${() => this.act(() => sit(this.table.id, seat))}
          >
            ${words.sit}
          </button>`;
    }
    if (player.id !== me && !isMine) return nothing;
    return html`<button
      ?disabled=${this.isBusy}
      @click=${() => this.act(() => client.delete(`/v1/games/${this.table.id}/seats/${seat}`))}
    >
      ${player.id === me ? words.leave : words.free}
    </button>`;
  }

  /** The address for others to join by, while a seat is open to them. */
  link() {
    const { visibility = "public", seats } = this.table.view;
    if (seats.every((/** @type {any} */ { player, invited }) => player ?? invited)) return nothing;
    const { invitation } = this.table.now;
    if (visibility !== "public" && !invitation)
      return html`<p class="faint">${words.byInvitation}</p>`;
    const address = `${location.origin}/games/${this.table.id}${invitation ? `#join=${invitation}` : ""}`;
    return html`<label class="link"
      >${words.link[invitation ? "invited" : "all"]}
      <span class="row"
        ><input
          readonly
          .value=${address}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}
        />
        <button type="button" @click=${() => this.copy(address)}>${words.copy}</button></span
      ></label
    >`;
  }

  /** @param {string} address */
  async copy(address) {
    this.said = (await copy(address, this.root.querySelector("input")))
      ? words.copied
      : words.copyByHand;
    this.update();
  }

  /** @param {"start" | "abort"} what */
  does(what) {
    return () => this.act(() => client.post(`/v1/games/${this.table.id}/${what}`));
  }

  /** @param {() => Promise<unknown>} what */
  async act(what) {
    this.said = "";
    const isLobby = () => this.table.view.status === "lobby";
    await doing(
      this,
      () => isLobby() && this.update(),
      () => what().then(() => this.table.reload()),
    );
  }
}

/** Offer a seat to a visitor with an invitation, who cannot see the game before. Return false if
 * the address has no invitation. @param {HTMLElement} root @param {string} game
 * @param {() => void} reopen */
export function invited(root, game, reopen) {
  if (!invitationCode()) return false;
  const state = { isBusy: false, problem: "" };
  const accept = () => doing(state, draw, () => sit(game).then(reopen));
  const draw = () =>
    render(
      html`<div class="page">
        <h1>${words.invited}</h1>
        <p>${words.invitedWhy}</p>
        <button class="main" @click=${accept}>${words.sit}</button>
        <p class="problem" role="alert">${state.problem}</p>
      </div>`,
      root,
    );
  draw();
  return true;
}
