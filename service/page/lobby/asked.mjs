/** Invitations to the account, to be answered. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, client } from "../account.mjs";
import { news } from "./notices.mjs";
import { row } from "./lists.mjs";
import { texts } from "../texts/texts.mjs";
import { doing } from "../why.mjs";

const words = texts.lobby.asked;

/** Show them, and follow the news; return the function that ends it. @param {HTMLElement} root hidden without invitations
 * @param {Map<string, string>} boards their names @param {(to: string) => void} go */
export function asked(root, boards, go) {
  /** @type {Game[]} */ let games = [];
  const state = { isBusy: false, problem: "" };
  const look = async () => {
    if (!account()) return;
    const page = await client
      .get("/v1/games", { query: { status: "lobby", invited: "me" } })
      .catch(() => null);
    if (!page) return; // retried with the next notice
    games = page.items;
    update();
  };
  const act = (/** @type {() => Promise<unknown>} */ what) => doing(state, update, what).then(look);
  const update = () => {
    root.hidden = !games.length && !state.problem;
    render(
      html`<ul class="games">
          ${games.map((game) =>
            row(
              game,
              boards.get(game.board) ?? game.board,
              html` <span class="row"
                ><button
                  class="main"
                  @click=${() =>
                    act(async () => {
                      await client.post(`/v1/games/${game.id}/seats`);
                      go(`/games/${game.id}`);
                    })}
                >
                  ${words.accept}
                </button>
                <button
                  @click=${() => act(() => client.delete(`/v1/games/${game.id}/invitations/me`))}
                >
                  ${words.decline}
                </button></span
              >`,
            ),
          )}
        </ul>
        ${
          games.length > 1
            ? html`<button @click=${() => act(() => client.delete("/v1/me/invitations"))}>
                ${words.declineAll}
              </button>`
            : nothing
        }
        <p class="problem" role="alert">${state.problem}</p>`,
      /** @type {HTMLElement} */ (root.querySelector("div")),
    );
  };
  const onNews = () => void look();
  news.addEventListener("asked", onNews);
  onNews();
  return () => news.removeEventListener("asked", onNews);
}
