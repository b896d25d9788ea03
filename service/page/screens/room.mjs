/** A tournament on a screen in a room: large, without anything to press. Long lists are shown in parts,
 * one after the other. */

import { client } from "../account.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { following } from "../records/following.mjs";
import { little, watching } from "../map/little.mjs";
import { nameOf } from "../names.mjs";
import { boardNames, number } from "../records/words.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { standing } from "./tournament.mjs";

/** @typedef {{ id: string, at: number, version?: number, board?: string, claims?: any[] }} Seen */

const words = texts.tournaments;
const ROWS = 12; // of the standings at a time
const BOARDS = 4; // games at a time
const TURN = 12_000; // milliseconds until the next part of what is too long
const TICK = 1000; // milliseconds between two drawings
const TIME = new Intl.DateTimeFormat(texts.language, { timeStyle: "short" });

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { id }) {
  const path = `/v1/tournaments/${id}`;
  const closing = new AbortController();
  const { signal } = closing;
  /** @type {API["Tournament"]} */ let tournament = await client.get(path, {
    query: { rounds: 1 },
  });
  const names = await boardNames();
  /** The running games, and what is known of their boards. @type {Map<string, API["ListedGame"]>} */
  let heads = new Map();
  /** @type {Map<string, Seen>} */ const views = new Map();
  /** @type {Map<string, any>} */ const layouts = new Map();
  const isSealed = () => tournament.settings.deals === "duplicate";

  const draw = () => {
    const turn = Math.floor(Date.now() / TURN);
    const running = gamesOf(tournament);
    for (const known of [heads, views])
      for (const game of known.keys()) if (!running.has(game)) known.delete(game);
    const games = part([...running.values()], BOARDS, turn);
    const shown = { heads, views, layouts, isSealed: isSealed() };
    render(
      html`<div class="room">
        <header>
          <div>
            <h1><bdi>${tournament.name}</bdi></h1>
            <p class="status">${standing(tournament)} ${progress(tournament, names)}</p>
          </div>
          <p class="where">
            <strong>${TIME.format(new Date())}</strong>
            <span>${location.host}/tournaments/${tournament.id}</span>
          </p>
        </header>
        <div class="both">
          ${table(tournament, turn)}${
            games.length
              ? html`<ul class="boards" data-games=${games.length}>
                  ${repeat(
                    games,
                    ({ game }) => game,
                    (game) => one(game, tournament, shown),
                  )}
                </ul>`
              : nothing
          }
        </div>
      </div>`,
      root,
    );
  };

  const stale = () =>
    isSealed()
      ? []
      : [...root.querySelectorAll("[data-game]")]
          .map((each) => /** @type {HTMLElement} */ (each).dataset.game ?? "")
          .filter(
            (game) => !views.has(game) || views.get(game)?.version !== heads.get(game)?.version,
          );

  const stayAwake = () =>
    void (document.hidden || navigator.wakeLock?.request("screen").catch(() => {}));
  document.addEventListener("visibilitychange", stayAwake, { signal });
  stayAwake();
  document.body.classList.add("alone");
  draw();
  const timer = setInterval(draw, TICK);
  void watching(views, layouts, stale, () => {}, signal);
  void following(
    () => tournament,
    1,
    (later) => {
      tournament = later;
    },
    (games) => {
      heads = games;
    },
    closing,
  );
  return () => {
    clearInterval(timer);
    closing.abort();
    document.body.classList.remove("alone");
  };
}

/** The part of a list that is shown now. @template T @param {T[]} list @param {number} size @param {number} turn */
function part(list, size, turn) {
  const at = turn % Math.max(1, Math.ceil(list.length / size));
  return list.slice(at * size, at * size + size);
}

/** The games of the last round that are not over, by id. @param {API["Tournament"]} tournament
 * @returns {Map<string, API["TableGame"]>} */
const gamesOf = ({ rounds }) =>
  new Map(
    (rounds.at(-1)?.tables ?? [])
      .flatMap(({ games }) => games.filter(({ results }) => !results))
      .map((game) => [game.game, game]),
  );

/** @param {API["Tournament"]} tournament @param {Map<string, string>} names of boards */
function progress({ rounds, status }, names) {
  const last = rounds.at(-1);
  if (!last || status !== "running") return nothing;
  const over = last.tables.filter(({ games }) => games.every(({ results }) => results)).length;
  return html` · ${names.get(last.board) ?? last.board} ·
  ${words.tablesOver(number(over), number(last.tables.length))}`;
}

/** A part of the standings; of the entrants, before the start.
 * @param {API["Tournament"]} tournament @param {number} turn */
function table({ standings, entrants, round }, turn) {
  const who = new Map(entrants.map((entrant) => [entrant.entrant, entrant.player]));
  const rows = part(standings, ROWS, turn),
    all = standings.length,
    first = standings.indexOf(rows[0]);
  if (!all) return html`<p>${words.nobody}</p>`;
  const title = round ? words.standings : words.entrants;
  return html`<table>
    <caption>
      ${title}${
        all > ROWS
          ? html` <span class="faint"
              >${number(first + 1)}–${number(first + rows.length)} / ${number(all)}</span
            >`
          : nothing
      }
    </caption>
    <thead class="hidden-text">
      <tr>
        <th>${texts.app.rank}</th>
        <th>${words.entrant}</th>
        <th>${texts.app.points}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ rank, entrant, points }) =>
          html`<tr>
            ${round ? html`<td class="number">${number(rank)}</td>` : nothing}
            <th scope="row">${nameOf(who.get(entrant))}</th>
            ${round ? html`<td class="number"><strong>${number(points, 1)}</strong></td>` : nothing}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A running game: its board, and who has how many points.
 * @param {API["TableGame"]} game @param {API["Tournament"]} tournament
 * @param {{ heads: Map<string, API["ListedGame"]>, views: Map<string, Seen>, layouts: Map<string, any>, isSealed: boolean }} known */
function one({ game, seats }, { entrants }, { heads, views, layouts, isSealed }) {
  const [head, view] = [heads.get(game), views.get(game)];
  const layout = layouts.get(view?.board ?? "");
  const decides = head?.deciding[0]?.seat;
  return html`<li class="card" data-game=${game}>
    ${
      isSealed
        ? html`<span class="faint">${words.sealed}</span>`
        : html`<div class="map">${layout ? little(layout, view) : nothing}</div>`
    }
    <ol>
      ${seats.map((entrant, seat) => {
        const player = entrants.find((one) => one.entrant === entrant)?.player;
        const { score, total = score } = head?.seats[seat] ?? {};
        return html`<li class=${seat === decides ? "decides" : ""}>
          ${seatBadge(seat)}
          <span class="name">${nameOf(player)}</span
          >${total === undefined ? nothing : html`<b>${number(total)}</b>`}
        </li>`;
      })}
    </ol>
  </li>`;
}
