/** A player: ratings, their history, opponents and games. */

import { account, client } from "../account.mjs";
import { boardNames, duration, facts, name, number, percent, when } from "../records/words.mjs";
import { games, opponents } from "../records/games.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { Paged } from "../records/paged.mjs";
import { RatingPlot } from "../records/rating_plot.mjs";
import { ratings } from "../records/ratings.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { doing, select } from "../why.mjs";

const words = texts.players;

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { id, query, go }) {
  const asked = query.get("version");
  /** @type {Record<string, string>} */ const version = asked === null ? {} : { version: asked };
  const path = `/v1/players/${id}`;
  /** @type {[API["PlayerPage"], Map<string, string>]} */
  const [player, boards] = await Promise.all([client.get(path, { query: version }), boardNames()]);
  const isBuiltIn = Boolean(player.bot) && !player.owner;
  const own = isBuiltIn ? { bot: player.bot } : { player: id };
  const met = /** @type {Paged<API["HeadToHead"]>} */ (
    new Paged(`${path}/opponents`, { limit: 10 }, () => draw())
  );
  const played = /** @type {Paged<API["ListedGame"]>} */ (
    new Paged("/v1/games", { ...own, limit: 10 }, () => draw())
  );
  const plot = new RatingPlot(
    path,
    version,
    player.ratings.map((row) => row.board),
    () => draw(),
  );
  const against = query.get("against");
  const between = /** @type {Paged<API["ListedGame"]>} */ (
    new Paged("/v1/games", { ...own, opponent: against, status: "finished", limit: 10 }, () =>
      draw(),
    )
  );
  const mayBlock = !isBuiltIn && account() && ![id, player.owner].includes(account()?.id);
  const blocking = { isBusy: false, problem: "" };
  const [opponent, record, owner, me] = await Promise.all([
    against ? client.get(`/v1/players/${against}`) : null,
    against ? client.get(`${path}/opponents`, { query: { opponent: against } }) : null,
    player.owner ? client.get(`/v1/players/${player.owner}`).catch(() => null) : null,
    mayBlock ? client.get("/v1/me").catch(() => null) : null,
    met.more(),
    played.more(),
    against && between.more(),
    player.ratings.length ? plot.load() : null,
  ]);

  let isBlocked = me?.blocked.includes(id);
  const block = () =>
    withPart(
      (part) =>
        doing(blocking, draw, async () => {
          isBlocked = (await part.block(id, !isBlocked)).blocked.includes(id);
        }),
      () => import("../lobby/invitations.mjs"),
    );
  const draw = () =>
    render(
      html`<div class="page records">
        <h1><bdi>${player.name}</bdi></h1>
        <p class="status">
          ${player.bot ? html`<span class="tag">${isBuiltIn ? words.builtIn : texts.app.bot}</span> ` : nothing}${owner ? html`${words.of} ${name(owner)} · ` : nothing}${words.since}
          ${when(player.created, true)}
        </p>
        ${
          me
            ? html`<p class="faint" role="status">
                  ${isBlocked ? words.isBlocked : html`<a class="button" href="/?invite=${id}">${words.invite}</a>`}
                  <button title=${words.blockMeans} @click=${block}>
                    ${isBlocked ? words.unblock : words.block}
                  </button>
                </p>
                ${blocking.problem ? html`<p class="problem" role="alert">${blocking.problem}</p>` : nothing}`
            : nothing
        }
        ${versions(player, asked, (chosen) => go(`/players/${id}?version=${encodeURIComponent(chosen)}`))}
        ${opponent ? oneRecord(player, opponent, record.items, between, boards) : nothing}
        <section class="card">
          <h2>${words.ratings}</h2>
          ${ratings(player.ratings, boards)}
        </section>
        ${
          player.ratings.length
            ? html`<section class="card">
                <h2>${words.overTime}</h2>
                ${plot.show(boards)}
              </section>`
            : nothing
        }
        <section class="card">
          <h2>${words.opponents}</h2>
          ${opponents(words.opponents, met.items, id)}${met.button()}
        </section>
        <section class="card">
          <h2>${texts.app.games}</h2>
          ${games(texts.app.games, played.items, boards)}${played.button()}
        </section>
        ${conduct(player)}
      </div>`,
      root,
    );
  draw();
  addEventListener("resize", draw);
  return () => removeEventListener("resize", draw);
}

/** The versions of a bot that have ratings of their own.
 * @param {API["PlayerPage"]} player @param {string | null} asked @param {(version: string) => void} choose */
function versions(player, asked, choose) {
  if (!player.versions) return nothing;
  const here = asked ?? player.ratings[0]?.version ?? player.version;
  const rated = new Map(player.version_ratings?.map(({ version: of, rating }) => [of, rating]));
  return html`<p>
    ${select(
      words.version,
      here,
      player.versions.map((version) => [
        version,
        version + (rated.has(version) ? ` · ${number(rated.get(version) ?? 0, 1)}` : ""),
      ]),
      choose,
    )}
  </p>`;
}

/** How the player did against one other, by board, and their games.
 * @param {API["PlayerPage"]} player @param {API["PlayerPage"]} opponent @param {API["HeadToHead"][]} records
 * @param {Paged<API["ListedGame"]>} between @param {Map<string, string>} boards */
function oneRecord(player, opponent, records, between, boards) {
  const rows = records.flatMap((record) => [{ ...record, board: "" }, ...record.boards]);
  const heading = words.against(player.name, opponent.name);
  return html`<section class="card against">
    <h2>${heading}</h2>
    ${
      rows.length
        ? opponents(heading, rows, player.id, (row) =>
            row.board
              ? html`<a href="/boards/${row.board}">${boards.get(row.board) ?? row.board}</a>`
              : texts.app.allBoards,
          )
        : html`<p>${words.neverMet}</p>`
    }
    ${
      rows.length
        ? html`<h3>${texts.app.games}</h3>
            ${games(`${texts.app.games}: ${heading}`, between.items, boards)}${between.button()}`
        : nothing
    }
    <p>${name(opponent)} · <a href="/players/${player.id}">${words.allOpponents}</a></p>
  </section>`;
}

/** How the player's games end, and how long decisions take. @param {API["PlayerPage"]} player */
function conduct({ endings, conduct }) {
  if (!conduct && !Object.values(endings).some(Boolean)) return nothing;
  return html`<section class="card">
    <h2>${words.conduct}</h2>
    ${facts([
      [words.finished, number(endings.finished)],
      [words.resigned, number(endings.resigned)],
      [words.timedOut, number(endings.timed_out)],
      [words.aborted, number(endings.aborted)],
      [words.decisions, conduct && number(conduct.decisions)],
      [
        words.timeouts,
        conduct &&
          html`${number(conduct.timeouts)}
            <span class="faint">(${percent(conduct.timeouts / conduct.decisions)})</span>`,
      ],
      [words.faults, conduct && number(conduct.faults)],
      [
        words.latency,
        conduct?.latency &&
          words.times(duration(conduct.latency.median), duration(conduct.latency.p95)),
      ],
    ])}
  </section>`;
}
