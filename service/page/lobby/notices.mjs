/** Says in the bar, and in the document's title, in which other games it is one's turn, and in the bar
 * that somebody invites the account. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, client, recognized } from "../account.mjs";
import { settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";

const NAME = "fogg-notices"; // of the lock and the channel that the windows of a browser share
const TOGETHER = 300; // milliseconds in which notices are batched before one request

const ASKS = ["invited", "declined"]; // notices to be answered, or answers

/** Dispatches "change" after an event in the account's games, "asked" after one of others' questions. */
export const news = new EventTarget();

/** One window of a browser listens, and tells the others: browsers open few connections. */
export class Notices {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.here = ""; // the game on the screen, which needs no hint while one looks at it
    this.title = texts.app.title;
    /** @type {string[]} */ this.waiting = []; // games in which it is one's turn
    this.isAsked = false; // to play, since the lobby was last on the screen, which shows by whom
    this._isKnown = false; // whether it was found out once, so that more is news
    this._isListening = false; // and not another window, which tells the same
    this._following = new AbortController();
    this._channel = new BroadcastChannel(NAME);
    this._channel.addEventListener("message", ({ data }) => this.heard(data));
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this._timer = undefined;
    document.addEventListener("visibilitychange", () => {
      this.draw();
      this.heard(); // also when it is hidden: one may have played since the last notice
    });
  }

  /** Follow the account that is kept here now. */
  follow() {
    this._following.abort();
    this._following = new AbortController();
    const { signal } = this._following;
    [this.waiting, this._isKnown, this.isAsked] = [[], false, false];
    this.draw();
    news.dispatchEvent(new Event("change"));
    if (!account()) return;
    const listen = () => this.listen(signal);
    const done = navigator.locks?.request(NAME, { signal }, listen) ?? listen();
    done.catch((problem) => {
      if (problem.status === 401) void recognized(); // else another account is followed
    });
    this.heard();
  }

  /** @param {AbortSignal} signal */
  async listen(signal) {
    const query = { legal_actions: "false" };
    this._isListening = true;
    signal.addEventListener("abort", () => {
      this._isListening = false;
    });
    for await (const { event } of client.stream("/v1/me/events", { signal, query })) {
      this._channel.postMessage(event);
      this.heard(event);
    }
  }

  /** Something may have changed: look, soon. @param {string} [event] the type of a notice */
  heard(event = "") {
    if (ASKS.includes(event)) {
      this.isAsked ||= event !== "declined" && location.pathname !== "/";
      this.draw();
      return news.dispatchEvent(new Event("asked"));
    }
    this._timer ??= setTimeout(() => {
      this._timer = undefined;
      void this.look().catch(() => {}); // retried with the next notice
    }, TOGETHER);
  }

  /** Find out where it is one's turn. */
  async look() {
    const me = account()?.id;
    if (!me) return;
    const { items } = await client.get("/v1/games", {
      query: { player: "me", status: "playing", limit: 100 },
    });
    const before = this.waiting;
    this.waiting = items
      .filter((/** @type {any} */ game) => waitsFor(game, me))
      .map((/** @type {any} */ game) => game.id);
    const fresh = this.unseen().filter((id) => !before.includes(id));
    const { notifies, chimes } = settings();
    if (fresh.length && this._isKnown && this._isListening && (notifies || chimes)) {
      void withPart(
        ({ tell }) => tell(fresh),
        () => import("./alerts.mjs"),
      );
    }
    this._isKnown = true;
    this.draw();
    news.dispatchEvent(new Event("change"));
  }

  /** Another screen is shown. @param {string} game that it is of, "" for none
   * @param {string} title what it is called */
  at(game, title) {
    if (this.here && this.here !== game) this.heard(); // one may have played there
    [this.here, this.title] = [game, title];
    this.isAsked &&= location.pathname !== "/";
    this.draw();
  }

  /** The games that wait and are not before one's eyes. */
  unseen() {
    return this.waiting.filter((id) => id !== this.here || document.hidden);
  }

  draw() {
    const waiting = this.unseen();
    const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
    icon.href = icon.href.replace(/\w+\.svg$/, waiting.length ? "turn.svg" : "icon.svg");
    document.title = waiting.length ? `(${waiting.length}) ${this.title}` : this.title;
    const words = texts.app.yourTurn(waiting.length);
    const hint = (
      /** @type {string} */ kind,
      /** @type {string} */ to,
      /** @type {string} */ said,
      /** @type {unknown} */ short,
    ) =>
      html` <a class="turn ${kind}" href=${to} aria-label=${said} data-count=${short}
        ><span>${said}</span></a
      >`;
    render(
      [
        waiting.length ? hint("mine", `/games/${waiting[0]}`, words, waiting.length) : nothing,
        this.isAsked ? hint("asked", "/", texts.app.asked, "?") : nothing,
      ],
      this.root,
    );
  }
}

/** Whether a listed game waits for an account. @param {any} game @param {string | undefined} id */
export const waitsFor = (game, id) =>
  Boolean(id) &&
  game.deciding.some(
    (/** @type {{ seat: number }} */ { seat }) => game.seats[seat].player?.id === id,
  );
