/** Forks: a new game from the position that is shown, against chosen bots. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { client, signedIn } from "../account.mjs";
import { nameOn } from "../seats.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { doing, select } from "../why.mjs";

const { more } = texts;
const ME = "me";

export class Forking {
  /** @param {Table} table @param {(to: string) => void} go @param {() => void} draw */
  constructor(table, go, draw) {
    this.table = table;
    this.go = go;
    this.draw = draw;
    /** @type {string[]} */ this.bots = [];
    /** The choice for each seat: a bot's name, or ME. @type {string[] | null} */
    this.seated = null;
    this.isKept = false;
    this.problem = "";
    this.isBusy = false;
  }

  async load() {
    if (this.bots.length) return;
    const { items } = await client.get("/v1/bots");
    this.bots = items
      .filter((/** @type {any} */ bot) => bot.ready)
      .map((/** @type {any} */ bot) => bot.name);
    this.draw();
  }

  /** The choice for each seat; by default ME on the deciding seat, bots elsewhere. */
  get seats() {
    const { view } = this.table;
    const turn = view.deciding[0]?.seat ?? 0;
    return (
      this.seated ??
      view.seats.map(({ player }, seat) =>
        seat === turn
          ? ME
          : (this.bots.find((bot) => bot === player?.bot) ?? this.bots.at(-1) ?? ""),
      )
    );
  }

  /** Seat somebody. @param {number} seat @param {string} who */
  seat(seat, who) {
    this.seated = this.seats.map((other, i) => {
      if (i === seat) return who;
      return who === ME && other === ME ? (this.bots.at(-1) ?? "") : other; // I sit on one
    });
    this.draw();
  }

  async fork() {
    const { table } = this;
    await doing(this, this.draw, async () => {
      await signedIn();
      const { id } = await client.post("/v1/games", {
        body: {
          fork: {
            game: table.id,
            version: table.shown ?? table.version,
            cards: this.isKept ? "kept" : "reshuffled",
          },
          seats: this.seats.map((who) => (who === ME ? { player: ME } : { bot: who })),
        },
      });
      this.go(`/games/${id}`);
    });
  }

  template() {
    const { table } = this;
    const isUnderWay = table.view.status === "playing";
    return html`<section>
      ${
        !isUnderWay
          ? html`<p class="faint">${more.notUnderWay}</p>`
          : html` <div class="in-places">
                ${table.view.seats.map((_, /** @type {number} */ seat) =>
                  select(
                    html` <span
                      >${more.inPlaceOf} ${seatBadge(seat)}
                      <bdi>${nameOn(table.view, seat)}</bdi></span
                    >`,
                    this.seats[seat],
                    [ME, ...this.bots].map((who) => [who, who === ME ? more.me : who]),
                    (who) => this.seat(seat, who),
                  ),
                )}
              </div>
              <label
                ><input
                  type="checkbox"
                  .checked=${this.isKept}
                  @change=${(/** @type {any} */ { target }) => {
                    this.isKept = target.checked;
                  }}
                />
                ${more.kept}</label
              >
              ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
              <p>
                <button
                  class="main"
                  ?disabled=${this.isBusy || !this.bots.length}
                  @click=${() => this.fork()}
                >
                  ${more.goOn(table.shown ?? table.version)}
                </button>
              </p>`
      }
    </section>`;
  }
}
