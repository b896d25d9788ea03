/** Routes in words: which, what they cost, and what one has for them. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { bundle, inWords } from "./cards.mjs";
import { GREY } from "../marks.mjs";
import { inOrder, waysAt } from "./legal.mjs";
import { placeName } from "../map/places.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** A route by the names of its ends. @param {any} board @param {string} id */
export function routeName(board, id) {
  const route = board.routes.find((/** @type {any} */ one) => one.id === id);
  return `${placeName(board, route.a)} – ${placeName(board, route.b)}`;
}

/**
 * The routes that may be claimed, to be chosen without the map; those first that help tickets, then those that score most.
 * @param {{ board: any, ids: string[], helps: Map<string, string[]>, payment: (route: string) => Record<string, number>,
 *   point: (route: string | null) => void, choose: (route: string) => void }} is
 */
export function routeList({ board, ids, helps, payment, point, choose }) {
  const routes = board.routes
    .filter((/** @type {any} */ { id }) => ids.includes(id))
    .toSorted(
      (/** @type {any} */ one, /** @type {any} */ other) =>
        Number(helps.has(other.id)) - Number(helps.has(one.id)) || other.length - one.length,
    );
  return html`<div class="choice claimable">
    <ul>
      ${routes.map(
        (/** @type {any} */ { id, length }) =>
          html`<li>
            <button
              type="button"
              data-claim=${id}
              @click=${() => choose(id)}
              @focus=${() => point(id)}
              @blur=${() => point(null)}
              @pointerenter=${() => point(id)}
              @pointerleave=${() => point(null)}
            >
              ${bundle(board, payment(id))}
              <span>${routeName(board, id)}</span>${help(helps.get(id))}
              <span class="faint">${texts.choices.scores(own(board.points, length) ?? 0)}</span>
            </button>
          </li>`,
      )}
    </ul>
  </div>`;
}

/** The viewer's cards that may pay for a route; for a grey one, of the colour that there is most of.
 * @param {any} view @param {any} route @returns {Record<string, number>} */
export function held({ you: { hand } }, route) {
  const colors =
    route.color === GREY ? Object.keys(hand).filter((color) => color !== "wild") : [route.color];
  const most = colors.toSorted((one, other) => (own(hand, other) ?? 0) - (own(hand, one) ?? 0))[0];
  return {
    ...(most && own(hand, most) ? { [most]: own(hand, most) } : {}),
    ...(hand.wild ? { wild: hand.wild } : {}),
  };
}

/** The tickets that a route helps, as a template. @param {string[]} [tickets] */
const help = (tickets) =>
  tickets ? html`<span class="helps">${texts.choices.helps(tickets)}</span>` : nothing;

/** The hint of a route next to its name: which tickets it helps, and whether the viewer can pay for it.
 * @param {Table} table @param {any} given the route or its id @param {string[]} [tickets] */
export function routeInfo(table, given, tickets) {
  const { board, view, actions } = table;
  const route =
    typeof given === "string"
      ? board.routes.find((/** @type {any} */ one) => one.id === given)
      : given;
  const owner = (view.claims ?? []).find((claim) => claim.route === route.id);
  if (owner || !view.you?.hand || view.status !== "playing") return nothing;
  const hand = view.you.hand;
  const [best] = inOrder(waysAt(actions, { route: route.id }), hand);
  if (best)
    return html`${help(tickets)}
      <p class="can">${texts.choices.youCanPay} ${bundle(board, best.cards)}</p>`;
  const has = held(view, route);
  const wilds = Math.max(0, (route.ferry ?? 0) - (has.wild ?? 0));
  const lacks = Math.max(
    wilds,
    route.length - Object.values(has).reduce((sum, one) => sum + one, 0),
  );
  return html`${help(tickets)}
    <p class="faint">${texts.choices.youHave(inWords(board, has), lacks)}</p>`;
}
