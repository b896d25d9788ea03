/** The rounds of a tournament: tables, their entrants, and results. */

import { account } from "../account.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { isMe, number } from "./words.mjs";
import { named } from "../names.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {Map<string, API["Entrant"]>} Entrants */
/** The running games by id. @typedef {Map<string, API["ListedGame"]>} Live */

const words = texts.tournaments;

/** All rounds, the latest first; those that are over are folded up.
 * @param {API["Tournament"]} tournament @param {Map<string, string>} boards @param {Live} live */
export function rounds(tournament, boards, live) {
  const entrants = new Map(tournament.entrants.map((entrant) => [entrant.entrant, entrant]));
  const isSealed = tournament.settings.deals === "duplicate";
  const latest = tournament.rounds.at(-1);
  return html`${repeat(
    [...tournament.rounds].reverse(),
    (round) => round.round,
    (round) =>
      html` <details class="card" ?open=${round === latest}>
        <summary>
          <h2>${words.roundOn(number(round.round), boards.get(round.board) ?? round.board)}</h2>
          <span class="faint">${progress(round)}</span>
        </summary>
        <div class="pairings">
          ${round.tables.map((table) => one(table, entrants, isSealed, live))}
        </div>
        ${
          round.byes.length
            ? html`<p>
                ${words.bye}
                ${round.byes.map((id, at) => html`${at ? ", " : ""}${who(entrants, id)}`)}
              </p>`
            : nothing
        }
      </details>`,
  )}`;
}

/** Whether all games of a table are over. @param {API["Table"]} table */
const isOver = (table) => table.games.every((game) => game.results);

/** @param {API["Round"]} round */
function progress({ tables }) {
  const over = tables.filter(isOver).length;
  return over === tables.length
    ? texts.app.over
    : words.tablesOver(number(over), number(tables.length));
}

/** A table: its entrants, and their totals in each of its games.
 * @param {API["Table"]} table @param {Entrants} entrants @param {boolean} isSealed @param {Live} live */
function one(table, entrants, isSealed, live) {
  const ids = table.games[0].seats;
  const isMine = ids.includes(account()?.id ?? "");
  return html`<div class="scrolled">
    <table class="pairing ${isOver(table) ? "" : "live"}">
      <caption>
        ${words.table(number(table.table))}
        ${
          isOver(table)
            ? nothing
            : html`<span class="tag running"
                >${isSealed && !isMine ? words.sealed : words.playing}</span
              >`
        }
      </caption>
      <thead>
        <tr>
          <th scope="col"><span class="hidden-text">${words.entrant}</span></th>
          ${table.games.map(
            (game, at) =>
              html` <th scope="col" class="number">
                ${link(game, table.games.length > 1 ? number(at + 1) : "", isMine, isSealed)}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${ids.map(
          (id) =>
            html`<tr class=${isMe({ id }) ? "mine" : ""}>
              <th scope="row">${who(entrants, id)}</th>
              ${table.games.map((game) => result(game, id, live.get(game.game)))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The link to a game; none while the viewer may not see it.
 * @param {API["TableGame"]} game @param {string} at which of several it is
 * @param {boolean} isMine @param {boolean} isSealed */
function link(game, at, isMine, isSealed) {
  if (isSealed && !isMine && !game.results) return html`${at || words.game(at)}`;
  const said = (game.results ? words.game : isMine ? words.play : words.watch)(at);
  return html`<a href="/games/${game.game}" aria-label=${said}>${at || said}</a>`;
}

/** An entrant's result in a game: the total, bold for the winner, and how they left. While the game
 * runs, the current score. @param {API["TableGame"]} game @param {string} id
 * @param {API["ListedGame"]} [head] */
function result(game, id, head) {
  const seat = game.seats.indexOf(id);
  const own = game.results?.[seat];
  if (!own) return soFar(seat, head);
  const left = own.left ? html` <span class="faint">${words.leaving[own.left]}</span>` : nothing;
  return html`<td class="number">
    ${
      own.rank === 1
        ? html`<strong
            >${number(own.total)}<span class="hidden-text"> ${words.winner}</span></strong
          >`
        : number(own.total)
    }${left}
  </td>`;
}

/** @param {number} seat @param {API["ListedGame"]} [head] */
function soFar(seat, head) {
  const { score, total = score } = head?.seats[seat] ?? {};
  if (total === undefined) return html`<td class="number faint">…</td>`;
  const decides = head?.deciding.some((one) => one.seat === seat);
  return html`<td class="number">
    ${
      decides
        ? html`<span class="decides" title=${texts.play.decides.turn}
            >●<span class="hidden-text">${texts.play.decides.turn}</span></span
          > `
        : nothing
    }${number(total)}<span class="hidden-text"> ${words.soFar}</span>
  </td>`;
}

/** @param {Entrants} entrants @param {string} id */
function who(entrants, id) {
  const entrant = entrants.get(id);
  return entrant ? named(entrant.player) : id;
}
