/** Names of players as markup. A name is untrusted: it is rendered as text, and isolated so that
 * its writing direction does not affect the text around it. */

import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { texts } from "./texts/texts.mjs";

/** A player's name, and whether it is a bot. @param {Player | undefined} player */
export const nameOf = (player) =>
  player
    ? html`<bdi>${player.name}</bdi
        >${player.bot ? html` <span class="kind">${texts.app.bot}</span>` : nothing}`
    : html`<span class="faint">${texts.app.openSeat}</span>`;

/** The same, as a link to the player's page. @param {Player | undefined} player @param {string} [name] as a game
 * tells the player apart */
export const named = (player, name = player?.name) =>
  player
    ? html`<a class="player" href="/players/${player.id}"><bdi>${name}</bdi></a
        >${player.bot ? html` <span class="kind">${texts.app.bot}</span>` : nothing}`
    : nameOf(player);
