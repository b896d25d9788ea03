/** Why a click on the map is refused, in words for that route or place. */

import { cardColor, GREY } from "../marks.mjs";
import { decisionWords } from "../declared.mjs";
import { held, routeName } from "./routes.mjs";
import { inWords, word } from "./cards.mjs";
import { marksOf } from "../map/words.mjs";
import { nameOn } from "../seats.mjs";
import { placeName } from "../map/places.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** Why nothing can be done at a route or a location; "" if nobody would try.
 * @param {Table} table @param {{ route?: string, location?: string }} where */
export function refusal(table, { route, location = "" }) {
  if (!table.isLatest) return texts.play.lookingBack;
  if (route)
    return `${texts.refusals.cannotClaim(routeName(table.board, route))} ${whyNot(table, route)}`;
  const why = whyNotAt(table, location);
  return (
    why &&
    `${texts.refusals.cannotBuild(word(table.board, "station"), placeName(table.board, location))} ${why}`
  );
}

/** The reason why the viewer cannot claim a route now, as a sentence; "" if unknown.
 * @param {Table} table @param {string} id */
function whyNot({ board, view, seat }, id) {
  if (seat === null) return "";
  const decision = view.deciding.find((one) => one.seat === seat)?.decision;
  const ownerOf = (/** @type {string | undefined} */ route) =>
    view.claims?.find((claim) => claim.route === route)?.seat;
  const route = board.routes.find((/** @type {any} */ one) => one.id === id);
  const { length, trains: taken = length, twin } = route;
  const [owner, other] = [ownerOf(id), ownerOf(twin)];
  const trains = view.seats[seat].trains ?? 0;
  if (owner === seat) return texts.refusals.isYours;
  if (owner !== undefined) return texts.refusals.isClaimed(nameOn(view, owner));
  if (other === seat) return texts.refusals.hasTwin;
  if (other !== undefined && board.doubles_closed_for?.includes(view.seats.length))
    return texts.refusals.oneTrack(view.seats.length);
  return (
    notNow(board, decision) ??
    (trains < taken
      ? texts.refusals.tooLong(taken, trains, word(board, "train"))
      : lacking(board, view, route))
  );
}

/** The reason why the viewer cannot build at a location now, as a sentence; "" where nothing is ever built.
 * @param {Table} table @param {string} id */
function whyNotAt({ board, view, seat }, id) {
  const mine = /** @type {any} */ (view.seats[seat ?? 0]);
  const kinds = Object.keys(board.declared.view).filter((name) => Object.hasOwn(mine, name)); // of pieces, by what is left of them
  if (seat === null || !kinds.length) return "";
  const decision = view.deciding.find((one) => one.seat === seat)?.decision;
  const built = kinds
    .flatMap((name) => own(/** @type {any} */ (view), name) ?? [])
    .find(({ location }) => location === id);
  if (built)
    return built.seat === seat
      ? texts.refusals.youBuilt
      : texts.refusals.hasBuilt(nameOn(view, built.seat));
  return (
    notNow(board, decision) ??
    (kinds.some((name) => own(mine, name))
      ? texts.refusals.cardsLack
      : texts.refusals.noneLeft(word(board, "station")))
  );
}

/** Why the viewer can neither claim nor build now; null on their turn.
 * @param {any} board @param {string | undefined} decision that the game waits for from them */
const notNow = (board, decision) =>
  decision === "turn"
    ? null
    : !decision
      ? texts.play.notYours
      : decision === "second_card"
        ? texts.play.midTurn
        : (own(texts.play.yours, decision) ?? texts.play.haveTo(decisionWords(board, decision)));

/** The cards that a route takes, and what the viewer has of them, as sentences.
 * @param {any} board @param {any} view @param {any} route */
function lacking(board, view, route) {
  const asks = Object.fromEntries(Object.entries(route).filter(([, value]) => value !== true)); // that count something
  return [
    texts.refusals.needs(
      route.length,
      route.color === GREY ? "" : cardColor(board, route.color).name,
      inWords(board, held(view, route)),
    ),
    ...marksOf(board, "routes", asks).map((said) => texts.choices.isMarked(said)),
  ].join(" ");
}
