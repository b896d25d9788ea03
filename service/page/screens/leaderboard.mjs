/** A leaderboard: players by rating, all of them or those who have played lately. */

import { account, client } from "../account.mjs";
import { axis } from "../chart.mjs";
import { grid } from "../records/grid.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { boardNames, isMe, name, number, percent, when } from "../records/words.mjs";
import { Paged } from "../records/paged.mjs";
import { doubt, drawn, reach_of } from "../records/ratings.mjs";
import { texts } from "../texts/texts.mjs";
import { select } from "../why.mjs";

const words = texts.leaderboards;
const DAY = 86_400_000; // milliseconds
const ACTIVE = 30; // days

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { id, query, go }) {
  const active = query.has("active");
  const settled = query.get("provisional") === "false";
  const since = new Date(Math.floor(Date.now() / DAY - ACTIVE) * DAY).toISOString();
  /** @type {Paged<API["RankedPlayer"]>} */
  const list = new Paged(
    `/v1/leaderboards/${id}`,
    { ...(settled && { provisional: "false" }), ...(active && { active_since: since }) },
    () => draw(),
  );
  const [names, , mine] = await Promise.all([
    boardNames(),
    list.more(),
    active || settled ? null : standing(id),
  ]);
  const heading = words.of(names.get(id) ?? texts.app.allBoards);
  /** Go to another table. @param {{ board?: string, active?: boolean, settled?: boolean }} other */
  const choose = (other) => {
    const to = { board: id, active, settled, ...other };
    const asked = new URLSearchParams({
      ...(to.active && { active: "" }),
      ...(to.settled && { provisional: "false" }),
    });
    go(`/leaderboards/${to.board}${asked.size ? `?${asked}` : ""}`);
  };
  const draw = () =>
    render(
      html`<div class="page records">
        <h1>${heading}</h1>
        <form class="choices" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
          ${select(texts.app.board, id, [["overall", texts.app.allBoards], ...names], (board) => choose({ board }))}
          <label
            ><input
              type="checkbox"
              .checked=${active}
              @change=${(/** @type {any} */ event) => choose({ active: event.target.checked })}
            />
            ${words.onlyActive(number(ACTIVE))}</label
          >
          <label
            ><input
              type="checkbox"
              .checked=${settled}
              @change=${(/** @type {any} */ event) => choose({ settled: event.target.checked })}
            />
            ${words.onlySettled}</label
          >
        </form>
        ${
          mine && !list.items.some((row) => isMe(row.player))
            ? html`<p class="card">${words.you(number(mine.rank), number(mine.rating, 1))}</p>`
            : nothing
        }
        <section class="card">
          ${table(heading, list.items)}${list.button()}
          <p class="faint">${words.barMeans} <a href="/docs/ratings.md">${words.how}</a></p>
        </section>
      </div>`,
      root,
    );
  draw();
  return () => {};
}

/** How the account of this page stands, if it has one and that is rated. @param {string} board
 * @returns {Promise<API["PlayersRating"] | null>} */
async function standing(board) {
  const me = account();
  if (!me) return null;
  const page = await client.get(`/v1/players/${me.id}`).catch(() => null);
  return (
    page?.ratings.find((/** @type {API["PlayersRating"]} */ row) => row.board === board) ?? null
  );
}

/** @param {string} caption @param {API["RankedPlayer"][]} rows */
function table(caption, rows) {
  const reach = reach_of(rows);
  return grid(
    caption,
    [
      { title: texts.app.rank, number: true, cell: (row) => number(row.rank) },
      {
        title: words.player,
        head: true,
        cell: (row) => html`${name(row.player, row.owner_name)}${doubt(row)}`,
      },
      {
        title: words.rating,
        number: true,
        cell: (row) => html`<strong>${number(row.rating, 1)}</strong>`,
      },
      {
        title: axis(reach, (mark) => number(mark), words.interval),
        kind: "measured",
        cell: (row) => drawn(reach, row),
      },
      { title: texts.app.games, number: true, cell: (row) => number(row.games) },
      { title: texts.app.won, number: true, cell: (row) => percent(row.wins / row.games) },
      { title: words.last, kind: "wide", cell: (row) => when(row.last_played) },
    ],
    rows,
    { hidden: true, empty: words.nobody, marked: (row) => isMe(row.player) },
  );
}
