// Plays Ticket to Ride on Fogg: draws the colour it has most of until it can pay for a long route.
import { createInterface } from "node:readline";
import type { components } from "./openapi.d.ts";

type Schemas = components["schemas"];
const LONG = 4; // trains; shorter routes bring few points: they wait until no card can be drawn

function worth(action: Schemas["Action"], view: Schemas["View"], board: Schemas["Board"]): number {
  if (action.type === "claim_route") {
    const cards = Object.values(action.cards).reduce((sum, count) => sum + count, 0);
    return cards >= LONG ? 100 + cards : cards;
  }
  if (action.type === "draw_card") return 50 + (view.you?.hand?.[action.card ?? ""] ?? 0);
  if (action.type !== "keep_tickets") return -1000;
  const cost = ({ id, points }: Schemas["Ticket"]) => (action.tickets.includes(id) ? points : 0);
  return board.tickets.reduce((sum, ticket) => sum - cost(ticket), 0);
}

function choose(view: Schemas["View"], board: Schemas["Board"]): Schemas["Action"] {
  const actions = view.you?.legal_actions ?? [];
  const worths = actions.map((action) => worth(action, view, board));
  return actions[worths.indexOf(Math.max(...worths))];
}

let board: Schemas["Board"] | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line);
  board ??= said.board as Schemas["Board"];
  if (said.view) console.log(JSON.stringify(choose(said.view, board)));
}
