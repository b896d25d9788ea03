/** Routes in words: which, what they cost, and whether one can pay. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { bundle, inWords, word } from "./cards.mjs";
import { decisionWords } from "../declared.mjs";
import { inOrder, waysAt } from "./legal.mjs";
import { nameOn } from "../seats.mjs";
import { placeName } from "../map/places.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("../table.mjs").Table} Table */

/** A route by the names of its ends. @param {any} board @param {string} id */
export function routeName(board, id) {
  const route = board.routes.find((/** @type {any} */ one) => one.id === id);
  return `${placeName(board, route.a)} – ${placeName(board, route.b)}`;
}

/**
 * The routes that may be claimed, to be chosen without the map; those that score most first.
 * @param {{ board: any, ids: string[], payment: (route: string) => Record<string, number>,
 *   point: (route: string | null) => void, choose: (route: string) => void, cancel: () => void }} is
 */
export function routeList({ board, ids, payment, point, choose, cancel }) {
  const found = board.routes.filter((/** @type {any} */ { id }) => ids.includes(id))
    .toSorted((/** @type {any} */ one, /** @type {any} */ other) => other.length - one.length);
  return html`<div class="choice claimable"><ul>${found.map((/** @type {any} */ { id, length }) => html`<li>
    <button type="button" data-claim=${id} @click=${() => choose(id)} @focus=${() => point(id)} @blur=${() => point(null)}
      @pointerenter=${() => point(id)} @pointerleave=${() => point(null)}>${bundle(board, payment(id))}
      <span>${routeName(board, id)}</span>
      <span class="faint">${texts.play.scores(board.points[length])}</span></button></li>`)}</ul>
    <button type="button" class="cancel" @click=${cancel}>${texts.play.cancel}</button></div>`;
}

/** The reason why the deciding player cannot claim a route, as a sentence; "" if unknown.
 * @param {Table} table @param {string} id */
export function whyNot({ board, view, seat }, id) {
  const decision = view.deciding.find((one) => one.seat === seat)?.decision;
  if (seat === null || !decision) return "";
  if (decision !== "turn") return texts.play.yours[decision] ?? texts.play.haveTo(decisionWords(board, decision));
  const ownerOf = (/** @type {string | undefined} */ route) => view.claims?.find((claim) => claim.route === route)?.seat;
  const { a, b, length, trains: taken = length } = board.routes.find((/** @type {any} */ one) => one.id === id);
  const twin = board.routes.find((/** @type {any} */ one) => one.id !== id && one.a === a && one.b === b)?.id;
  const [owner, other] = [ownerOf(id), ownerOf(twin)];
  const trains = view.seats[seat].trains ?? 0;
  if (owner !== undefined) return texts.play.isClaimed(nameOn(view, owner));
  if (other === seat) return texts.play.hasTwin;
  if (other !== undefined && board.doubles_closed_for?.includes(view.seats.length)) return texts.play.oneTrack(view.seats.length);
  if (trains < taken) return texts.play.tooLong(taken, trains, word(board, "train"));
  return texts.play.cardsLack;
}

/** The hint of a route next to its name: whether the viewer can pay for it.
 * @param {Table} table @param {any} given the route or its id */
export function routeInfo(table, given) {
  const { board, view, actions } = table;
  const route = typeof given === "string" ? board.routes.find((/** @type {any} */ one) => one.id === given) : given;
  const owner = (view.claims ?? []).find((claim) => claim.route === route.id);
  if (owner || !view.you?.hand || view.status !== "playing") return nothing;
  const hand = view.you.hand;
  const [best] = inOrder(waysAt(actions, { route: route.id }), hand);
  if (best) return html`<p class="can">${texts.play.youCanPay} ${bundle(board, best.cards)}</p>`;
  const colors = route.color === "grey" ? Object.keys(hand).filter((color) => color !== "wild") : [route.color];
  const most = colors.toSorted((one, other) => (hand[other] ?? 0) - (hand[one] ?? 0))[0];
  const held = { ...most && hand[most] ? { [most]: hand[most] } : {}, ...hand.wild ? { wild: hand.wild } : {} };
  return html`<p class="faint">${texts.play.youHave(inWords(board, held))}</p>`;
}
