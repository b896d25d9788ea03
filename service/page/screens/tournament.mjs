/** A tournament: live standings and rounds, and the form to enter it. */

import { changes, client } from "../account.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { following } from "../records/following.mjs";
import { rounds } from "../records/rounds.mjs";
import { isFinal, standings, traces } from "../records/standings.mjs";
import { organises, takingPart } from "../records/taking_part.mjs";
import { texts } from "../texts/texts.mjs";
import { boardNames, facts, name, number, when } from "../records/words.mjs";
import { withPart } from "../waiting.mjs";
import { doing } from "../why.mjs";

const words = texts.tournaments;
const MOST = 1000; // rounds

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { id }) {
  const path = `/v1/tournaments/${id}`;
  const closing = new AbortController();
  const boards = boardNames();
  /** @type {Tournament} */ let tournament = await client.get(path, { query: { rounds: MOST } });
  /** @type {API["Player"] | null} */ let creator = null;
  const called = await boards;
  const state = { isBusy: false, problem: "" };
  /** The forms of the creator, which nobody else loads.
   * @type {typeof import("../records/organising.mjs").organising | null} */ let organising = null;

  /** The running games by id. @type {import("../records/rounds.mjs").Live} */
  let heads = new Map();

  const draw = () =>
    render(
      html`<div class="page records">
        <h1><bdi>${tournament.name}</bdi></h1>
        <p class="status" role="status">
          <span class="tag ${tournament.status}">${words.statuses[tournament.status]}</span>
          ${standing(tournament)}
        </p>
        ${tournament.description ? html`<p class="as-typed"><bdi>${tournament.description}</bdi></p>` : nothing}
        ${takingPart(tournament, state, act)}
        <section class="card">
          <h2>${tournament.round ? words.standings : words.entrants}</h2>
          ${standings(tournament)}${
            tournament.round && !isFinal(tournament) && tournament.standings_final_at
              ? html`<p>${words.provisional} ${when(tournament.standings_final_at, true)}</p>`
              : nothing
          }
          ${traces(tournament)}
        </section>
        ${
          tournament.round
            ? html`<div class="with-aside">
                <div>${rounds(tournament, called, heads)}</div>
                <div>${settings(tournament, called, creator)}</div>
              </div>`
            : settings(tournament, called, creator)
        }
        ${organising && organises(tournament) ? organising(tournament, state, act) : nothing}
      </div>`,
      root,
    );

  // Nobody waits for this name: it comes with numbers of the database, which may be away.
  void client.get(`/v1/players/${tournament.creator}`, { signal: closing.signal }).then(
    (player) => {
      creator = player;
      draw();
    },
    () => {},
  );

  const attend = () => {
    draw();
    if (organises(tournament) && !organising)
      void withPart(
        (part) => {
          organising = part.organising;
          draw();
        },
        () => import("../records/organising.mjs"),
      );
  };

  /** Send a request, and show its outcome. @param {() => Promise<unknown>} ask */
  async function act(ask) {
    await doing(state, draw, async () => {
      await ask();
      tournament = await client.get(path, { query: { rounds: MOST } });
    });
    const part = /** @type {HTMLElement | null} */ (root.querySelector(".actions"));
    if (document.activeElement === document.body) part?.focus(); // what was pressed is gone
  }

  let isDue = false; // to be drawn: news come many at a time
  const heard = (/** @type {import("../records/rounds.mjs").Live} */ games) => {
    heads = games;
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };

  attend();
  void following(
    () => tournament,
    MOST,
    (later) => {
      tournament = later;
      draw();
    },
    heard,
    closing,
  );
  changes.addEventListener("change", attend, { signal: closing.signal }); // somebody else looks
  return () => closing.abort();
}

/** How far it is. @param {Tournament} tournament */
export function standing({
  status,
  round,
  settings,
  ending,
  last_round: last,
  starts_at: starts,
  next_round_at: next,
}) {
  const later = next ? html` ${words.nextRound} ${when(next, true)}` : nothing;
  if (status === "open")
    return html`${starts ? html`${words.startsAt} ${when(starts, true)}.` : words.startedByHand}${later}`;
  if (status === "finished") return ending ? words.endings[ending] : nothing;
  const of = last ?? settings.rounds;
  return html`${round || !next ? words.round(number(round), of === undefined ? "" : number(of)) : ""}${later}`;
}

/** @param {Tournament} tournament @param {Map<string, string>} boards @param {any} creator */
function settings(tournament, boards, creator) {
  const { settings, entrants, creator: creatorId, rules, id } = tournament;
  const { clock } = settings;
  const entered = entrants.filter((entrant) => !entrant.withdrawn).length;
  return html`<section class="card">
      <h2>${words.settings}</h2>
      ${facts([
        [
          words.format,
          html`<strong>${words.formats[settings.format]}</strong>: ${words.meaning[settings.format]}`,
        ],
        [
          texts.app.boards,
          settings.boards.map(
            (board, at) =>
              html`${at ? ", " : ""}<a href="/boards/${board}">${boards.get(board) ?? board}</a>`,
          ),
        ],
        [words.seats, number(settings.seats)],
        [words.entrants, words.of(number(entered), number(settings.max_entrants))],
        [words.entry, words.entries[settings.entry]],
        [words.clock, html`${texts.app.clock(clock)}; ${words.timeouts[clock.on_timeout]}`],
        [words.creator, creator ? name(creator) : creatorId],
      ])}${settings.deals === "duplicate" ? html`<p>${words.duplicate}</p>` : nothing}
      <p><a href="/docs/tournaments.md">${words.how}</a></p>
      <p><a href=${`/tournaments/${id}/screen`}>${words.inRoom}</a></p>
      <p class="choices">
        ${Object.entries(words.downloads).map(([file, said]) =>
          file === "archive.zip" && !isFinal(tournament)
            ? nothing
            : html`<a href=${`/v1/tournaments/${id}/${file}`} download="">${said}</a>`,
        )}
      </p>
    </section>
    ${
      rules
        ? html`<section class="card">
            <h2>${words.rules}</h2>
            <p class="as-typed"><bdi>${rules}</bdi></p>
          </section>`
        : nothing
    }`;
}
