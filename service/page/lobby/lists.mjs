/** A list of games, page by page, of one status at a time; and a game as its row: on what, who plays, how it stands. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { account, client, now, signedIn } from "../account.mjs";
import { nameOf } from "../names.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";
import { own } from "../own.mjs";
import { waitsFor } from "./notices.mjs";

const PAGE = 10;
const words = texts.lobby.lists;
const ofRows = texts.lobby.rows;

/** The list, with a button for each kind of games that it can show. */
export class GameList {
  /**
   * @param {HTMLElement} root
   * @param {{ kinds: [string, Record<string, string>][], boards: Map<string, string>,
   *   empty: Record<string, string>, go: (to: string) => void,
   *   first?: { items: Game[], next: string | null } | null, keep?: (game: Game) => boolean, isSteady?: boolean }} is
   *   `kinds`: the label of each button, and the query of its games; `empty`: the message for
   *   an empty list, by status; `first`: its first page, if it is known; `isSteady`: whether games keep their places when the list is read
   *   again, so that nobody clicks on another one than they meant
   */
  constructor(root, is) {
    this.root = root;
    this.is = is;
    this.query = is.kinds[0][1];
    this.board = "";
    /** @type {Game[] | null} */ this.games = is.first?.items ?? null;
    /** @type {string | null} */ this.next = is.first?.next ?? null;
    this.problem = "";
    this._asked = 0; // number of the request: late answers are dropped
    if (is.first) this.update();
    else void this.load();
  }

  /** Read the list from the start, with as many games as before; or go on with another page.
   * @param {boolean} [isMore] */
  async load(isMore = false) {
    const mine = ++this._asked;
    const before = this.games ?? [];
    try {
      const { items, next } = await client.get("/v1/games", {
        query: {
          ...this.query,
          board: this.board || undefined,
          limit: isMore ? PAGE : Math.min(100, Math.max(PAGE, before.length)),
          after: isMore ? (this.next ?? undefined) : undefined,
        },
      });
      if (mine !== this._asked) return;
      const places = new Map(
        isMore || this.is.isSteady ? before.map(({ id }, at) => [id, at]) : [],
      );
      const at = (/** @type {Game} */ { id }) => places.get(id) ?? places.size;
      this.games = [...(isMore ? before : []), ...items].toSorted(
        (one, other) => at(one) - at(other),
      );
      [this.next, this.problem] = [next, ""];
    } catch (problem) {
      this.problem = why(problem);
    }
    this.update();
  }

  /** Show only games on a board. @param {string} board its id, "" for all */
  only(board) {
    this.board = board;
    this.games = null;
    void this.load();
  }

  /** @param {Record<string, string>} query */
  show(query) {
    this.query = query;
    this.games = null;
    this.update();
    void this.load();
  }

  update() {
    const games = this.games?.filter(this.is.keep ?? (() => true)) ?? null;
    render(
      html`${
          this.is.kinds.length > 1
            ? html`<p class="kinds">
                ${this.is.kinds.map(
                  ([text, query]) =>
                    html` <button
                      aria-pressed=${query === this.query}
                      @click=${() => this.show(query)}
                    >
                      ${text}
                    </button>`,
                )}
              </p>`
            : nothing
        }
        <p class="problem" role="alert">${this.problem}</p>
        ${
          !games
            ? html`<p class="faint">${this.problem ? "" : texts.app.loading}</p>`
            : !games.length && !this.next
              ? html`<p class="faint">${own(this.is.empty, this.query.status)}</p>`
              : html`<ul class="games">
                  ${repeat(
                    games,
                    ({ id }) => id,
                    (game) =>
                      row(game, this.is.boards.get(game.board) ?? game.board, this.join(game)),
                  )}
                </ul>`
        }
        ${this.next ? html`<button @click=${() => this.load(true)}>${words.more}</button>` : nothing}`,
      this.root,
    );
  }

  /** @param {Game} game */
  join(game) {
    return game.status !== "lobby" || isMine(game)
      ? undefined
      : html`<button class="main" @click=${() => this.sit(game)}>${words.join}</button>`;
  }

  /** @param {Game} game */
  async sit(game) {
    try {
      await signedIn();
      await client.post(`/v1/games/${game.id}/seats`);
      this.is.go(`/games/${game.id}`);
    } catch (problem) {
      // somebody was quicker
      await this.load();
      this.problem = why(problem);
      this.update();
    }
  }
}

/** Whether one sits in a game. @param {Game} game */
export const isMine = (game) =>
  Boolean(account()) && game.seats.some(({ player }) => player?.id === account()?.id);

/** A game. @param {Game} game @param {string} board its name @param {import("../vendor/lit-html/lit-html.js").TemplateResult} [more] */
export const row = (game, board, more) =>
  html`<li class="game-row ${waitsFor(game, account()?.id) ? "yours" : ""}">
    <a class="name" href="/games/${game.id}"
      >${board}<span class="hidden-text"
        >:
        ${game.seats
          .map(({ player, invited }) => (player ?? invited)?.name ?? texts.app.openSeat)
          .join(", ")}</span
      ></a
    >
    <span class="standing">${standing(game)}</span>
    <span class="state faint">${state(game)}</span>${more ?? nothing}
  </li>`;

/** The players with their points; in a finished game the winner comes first. @param {Game} game */
export function standing(game) {
  const seats = [...game.seats].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return seats.map(
    ({ player, invited, score, total, rank }) =>
      html`<span class=${rank === 1 ? "won" : nothing}
        >${
          invited ? html`${nameOf(invited)} <small>${ofRows.invited}</small>` : nameOf(player)
        }${(total ?? score !== undefined) ? html` <b>${total ?? score}</b>` : nothing}</span
      >`,
  );
}

/** The decision that a game waits for, or the time of its end. @param {Game} game */
function state(game) {
  if (game.status === "lobby") {
    const open = game.seats.filter(({ player, invited }) => !player && !invited);
    const { rating_from: from, rating_to: to } = open[0] ?? {};
    return [
      [
        ...(open.length ? [ofRows.open(open.length)] : []),
        texts.app.clock(game.clock),
        ...(from !== undefined || to !== undefined ? [ofRows.rating(from, to)] : []),
      ].join(" · "),
    ];
  }
  if (game.status === "finished") {
    const isAborted = game.seats.every(({ total }) => total === undefined);
    return [isAborted ? ofRows.aborted : texts.app.over, " ", ago(game.updated)];
  }
  if (waitsFor(game, account()?.id)) return html`<strong>${ofRows.yourTurn}</strong>`;
  const { seat } = game.deciding[0] ?? {};
  return seat === undefined
    ? ofRows.underWay
    : html`${ofRows.waitsFor} ${nameOf(game.seats[seat]?.player)}`;
}

const STEPS = /** @type {const} */ ([
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]);

/** How long ago something was. @param {string} time */
function ago(time) {
  const seconds = Math.max(0, now() - Date.parse(time)) / 1000;
  const [unit, length] = STEPS.find(([, length]) => seconds >= length) ?? ["second", 1];
  const said = new Intl.RelativeTimeFormat(texts.language, { numeric: "auto" });
  return html`<time datetime=${time}>${said.format(-Math.floor(seconds / length), unit)}</time>`;
}
