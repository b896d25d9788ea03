/** Which leaderboards there are, by board and by month; and the built-in bots. */

import { client } from "../account.mjs";
import { byKind } from "../records/scores.mjs";
import { grid } from "../records/grid.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { boardNames, number } from "../records/words.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.leaderboards;

/** @param {HTMLElement} root */
export async function open(root) {
  /** @type {[any, any, any, Map<string, string>]} */
  const [boards, bots, statistics, names] = await Promise.all([
    client.get("/v1/leaderboards"),
    client.get("/v1/bots"),
    client.get("/v1/stats/bots"),
    boardNames(),
  ]);
  render(
    html`<div class="page records">
      <h1>${texts.app.leaderboards}</h1>
      <p>${words.what} <a href="/docs/ratings.md">${words.how}</a></p>
      <section class="card">
        <h2>${texts.players.ratings}</h2>
        ${grid(
          texts.players.ratings,
          [
            {
              title: texts.app.board,
              head: true,
              cell: (row) =>
                html`<a href="/leaderboards/${row.board}"
                  >${names.get(row.board) ?? texts.app.allBoards}</a
                >`,
            },
            { title: words.players, number: true, cell: (row) => number(row.players) },
            { title: words.settled, number: true, cell: (row) => number(row.settled) },
          ],
          /** @type {API["ListedLeaderboard"][]} */ (boards.items),
          { hidden: true },
        )}
      </section>
      <section class="card">
        <h2>${words.bots}</h2>
        <dl class="facts of-bots">
          ${bots.items.map(
            (/** @type {API["Bot"]} */ bot) =>
              html`<div>
                <dt>
                  <a href="/players/${bot.player}"><bdi>${bot.name}</bdi></a>
                </dt>
                <dd>${bot.description}</dd>
              </div>`,
          )}
        </dl>
      </section>
      ${
        statistics.items.length
          ? html`<section class="card">
              <h2>${words.botPlot}</h2>
              ${byKind(statistics.items, names)}
            </section>`
          : nothing
      }
    </div>`,
    root,
  );
  return () => {};
}
