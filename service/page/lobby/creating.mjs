/** The form for a new game: board, seats, clock, visibility and first seat. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, client, signedIn } from "../account.mjs";
import { set } from "../settings.mjs";
import { usualClock } from "../screens.mjs";
import { texts } from "../texts/texts.mjs";
import { doing, select } from "../why.mjs";

/** @typedef {{ id: string, name: string, least_players: number, most_players: number }} ListedBoard */
/** @typedef {{ name: string, description: string, ready: boolean, shortest_rated_clock: number }} Bot */

const words = texts.lobby.creating;
const [ME, OPEN, INVITE] = ["me", "open", "invite"];
const [MINUTE, DAY] = [60, 86_400];
/** The clocks to choose from, as the API expects them. The first is the API's default. */
const CLOCKS = [
  undefined,
  { per_decision: MINUTE },
  { per_decision: 5 * MINUTE },
  { per_decision: DAY },
  { bank: 10 * MINUTE, increment: 5 },
  { bank: 30 * MINUTE, increment: 15 },
];
const MOST_WITH_BOTS = 7_200; // seconds for all decisions, of a rated game with a built-in bot
const VISIBILITIES = /** @type {const} */ (["public", "unlisted", "private"]);

/** The form; two clicks make an ordinary game. */
export class Creating {
  /** @param {HTMLElement} root
   * @param {{ boards: ListedBoard[], bots: Bot[], board: string | null, go: Address["go"],
   *   invited: { id: string, name: string } | null }} given
   * `board`: the id of the board chosen at first; `invited`: a player to invite */
  constructor(root, { boards, bots, board, go, invited }) {
    this.root = root;
    this.boards = boards;
    this.bots = bots;
    this.go = go;
    this.invited = invited;
    this.ratings = { rating_from: "", rating_to: "" }; // of open seats, as text
    this.board = boards.find(({ id }) => id === board) ?? boards[0];
    /** The choice for each seat: me, open, invite, or a bot's name. */
    this.seats = [ME, ...(invited ? [INVITE] : usualBots(bots))];
    this.clock = 0; // of CLOCKS
    this.onTimeout = "resign";
    /** @type {typeof VISIBILITIES[number]} */ this.visibility = "public";
    this.first = ""; // the seat that begins, drawn if none is named
    this.problem = "";
    this.isBusy = false;
    this.update();
  }

  update() {
    render(
      html`<form class="creating" @submit=${(/** @type {Event} */ event) => this.create(event)}>
        <p class="row">
          ${select(
            texts.app.board,
            this.board.id,
            this.boards.map(({ id, name }) => [id, name]),
            (value) => this.choose(value),
          )}
          <span class="faint"
            >${texts.posters.players(this.board.least_players, this.board.most_players)}</span
          >
        </p>
        <fieldset class="who-plays">
          <legend>${texts.app.seats}</legend>
          <ol>
            ${this.seats.map((who, seat) => this.seat(who, seat))}
          </ol>
          ${
            this.seats.length < this.board.most_players
              ? html` <button type="button" @click=${() => this.add()}>${words.addSeat}</button>`
              : nothing
          }
          ${this.notReady()}
        </fieldset>
        <details>
          <summary>${words.more}</summary>
          ${this.more()}
        </details>
        ${this.isRated() ? nothing : html`<p class="faint">${words.unrated}</p>`}
        <p class="row">
          <button class="main play" ?disabled=${this.isBusy}>${this.label()}</button>
          <span class="problem" role="alert">${this.problem}</span>
        </p>
      </form>`,
      this.root,
    );
  }

  /** @param {string} id of a board */
  choose(id) {
    const board = (this.board = this.boards.find((one) => one.id === id) ?? this.board);
    this.seats.length = Math.min(this.seats.length, board.most_players);
    while (this.seats.length < board.least_players) this.seats.push(OPEN);
    this.update();
  }

  /** @param {string} who @param {number} seat */
  seat(who, seat) {
    const mayGo = this.seats.length > this.board.least_players;
    const choices = [
      [ME, texts.more.me],
      ...this.bots.map(({ name, ready }) => [name, (ready ? words.bot : words.botLater)(name)]),
      ...(this.invited ? [[INVITE, words.invite(this.invited.name)]] : []),
      [OPEN, words.open],
    ];
    return html`<li>
      ${select(html`<span class="hidden-text">${texts.key.seat(seat)}</span>`, who, choices, (chosen) => this.sit(seat, chosen))}
      ${
        mayGo
          ? html`<button
              type="button"
              class="quiet"
              aria-label=${words.removeSeat(seat + 1)}
              title=${words.removeSeat(seat + 1)}
              @click=${() => this.remove(seat)}
            >
              ✕
            </button>`
          : nothing
      }
    </li>`;
  }

  /** @param {number} seat @param {string} who */
  sit(seat, who) {
    if (who === ME || who === INVITE)
      this.seats = this.seats.map((other) => (other === who ? OPEN : other));
    this.seats[seat] = who;
    this.update();
  }

  add() {
    this.seats.push(this.seats.findLast((who) => who !== ME && who !== INVITE) ?? OPEN);
    this.update();
  }

  /** @param {number} seat */
  remove(seat) {
    this.seats.splice(seat, 1);
    this.first = "";
    this.update();
  }

  notReady() {
    const waited = this.bots.filter(({ name, ready }) => !ready && this.seats.includes(name));
    return waited.length
      ? html`<p class="faint">${words.notReady(waited.map(({ name }) => name))}</p>`
      : nothing;
  }

  seated() {
    return this.seats.filter((who) => ![ME, OPEN, INVITE].includes(who));
  }

  isRated() {
    const bots = this.seated();
    return (
      this.visibility === "public" &&
      !this.first &&
      new Set(bots).size === bots.length &&
      !(bots.length && longest(CLOCKS[this.clock] ?? this.usual()) > MOST_WITH_BOTS)
    );
  }

  usual() {
    return usualClock(this.visibility === "public", this.seated().length > 0);
  }

  more() {
    const usual = this.usual();
    const choose = (/** @type {object} */ change) => {
      Object.assign(this, change);
      this.update();
    };
    return html`<div class="fields">
      ${select(
        words.clock,
        String(this.clock),
        CLOCKS.map((clock, at) => [String(at), texts.app.clock(clock ?? usual)]),
        (value) => choose({ clock: Number(value) }),
      )}
      ${select(words.onTimeout, this.onTimeout, Object.entries(words.timeouts), (onTimeout) => choose({ onTimeout }))}
      ${select(
        words.visibility,
        this.visibility,
        VISIBILITIES.map((one) => [one, words.visibilities[one]]),
        (visibility) => choose({ visibility }),
      )}
      ${select(
        words.first,
        this.first,
        [["", words.drawn], ...this.seats.map((_, seat) => [String(seat), texts.key.seat(seat)])],
        (first) => choose({ first }),
      )}
      ${
        this.seats.includes(OPEN)
          ? /** @type {const} */ (["rating_from", "rating_to"]).map(
              (name) =>
                html`<label
                  >${words[name]}
                  <input
                    type="number"
                    min="-1000"
                    max="1000"
                    .value=${this.ratings[name]}
                    @change=${(/** @type {any} */ { target }) => {
                      this.ratings[name] = target.value;
                    }}
                /></label>`,
            )
          : nothing
      }
    </div>`;
  }

  /** The label of the button; it depends on the chosen players. */
  label() {
    if (this.seats.includes(OPEN) || this.seats.includes(INVITE)) return words.setUp;
    return this.isShow ? words.watch : words.play;
  }

  /** Whether only bots play. */
  get isShow() {
    return ![ME, OPEN, INVITE].some((who) => this.seats.includes(who));
  }

  /** Begin a game on a board at once: against bots, of bots alone to watch, or with friends who get the link.
   * Those who have no account yet get a lesson. @param {ListedBoard} board @param {"bots" | "watch" | "friends"} [kind] */
  playNow(board, kind = "bots") {
    const bots = usualBots(this.bots);
    const seats =
      kind === "friends"
        ? [ME, ...Array(board.most_players - 1).fill(OPEN)]
        : kind === "watch"
          ? [...bots, bots[0]]
          : [ME, ...bots];
    Object.assign(this, {
      board,
      seats,
      clock: 0,
      first: "",
      visibility: kind === "friends" ? "unlisted" : "public",
    });
    if (kind === "bots") set({ coached: !account() });
    return this.create();
  }

  /** Make the game as an account, and wait until it is shown. @param {Event} [event] */
  async create(event) {
    event?.preventDefault();
    const ratings = Object.fromEntries(
      Object.entries(this.ratings)
        .filter(([, value]) => value)
        .map(([name, value]) => [name, Number(value)]),
    );
    await doing(
      this,
      () => this.update(),
      async () => {
        await signedIn();
        const { id } = await client.post("/v1/games", {
          body: {
            board: this.board.id,
            seats: this.seats.map((who) =>
              who === ME
                ? { player: who }
                : who === OPEN
                  ? { open: true, ...ratings }
                  : who === INVITE
                    ? { invite: this.invited?.id }
                    : { bot: who },
            ),
            options: {
              visibility: this.visibility,
              on_timeout: this.onTimeout,
              ...(CLOCKS[this.clock] && { clock: CLOCKS[this.clock] }),
              ...(this.first && { first_seat: Number(this.first) }),
            },
          },
        });
        const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
        await this.go(`/games/${id}${this.isShow && !isStill ? "?at=1&speed=show" : ""}`); // from its beginning, though bots are quick
      },
    );
    if (this.problem) this.root.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
  }
}

/** The default opponents: up to two of the fastest bots that are ready. @param {Bot[]} bots */
function usualBots(bots) {
  const there = bots.filter(({ ready }) => ready);
  const quickest = Math.min(...there.map((bot) => bot.shortest_rated_clock));
  const quick = there
    .filter((bot) => bot.shortest_rated_clock === quickest)
    .map(({ name }) => name);
  return quick.length > 1 ? quick.slice(-2).reverse() : [...quick, OPEN];
}

/** The seconds that a clock allows for a hundred decisions.
 * @param {{ per_decision?: number, bank?: number, increment?: number, total?: number }} clock */
const longest = ({ per_decision = 0, bank = 0, increment = 0, total = Infinity }) =>
  Math.min(total, 100 * (per_decision + increment) + bank);
