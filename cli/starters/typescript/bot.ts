// Plays Ticket to Ride on Fogg: claims the longest route it can pay for; draws the colour it has
// most of until then.
import { createInterface } from "node:readline";
import type { components } from "./openapi.d.ts";

type Action = components["schemas"]["Action"];
type Board = components["schemas"]["Board"];
type View = components["schemas"]["View"];

function choose(view: View, board: Board): Action {
  const points = new Map(board.tickets.map((ticket) => [ticket.id, ticket.points]));
  const worth = (action: Action): number => {
    switch (action.type) {
      case "claim_route":
        return 100 + Object.values(action.cards).reduce((sum, count) => sum + count, 0);
      case "draw_card":
        return view.you?.hand?.[action.card ?? ""] ?? 0.5;
      case "keep_tickets":
        return -action.tickets.reduce((sum, ticket) => sum + (points.get(ticket) ?? 0), 0);
      default:
        return -100;
    }
  };
  const actions = view.you?.legal_actions ?? [];
  return actions.reduce((best, action) => (worth(action) > worth(best) ? action : best));
}

let board: Board | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line);
  board ??= said.board as Board;
  if (said.view) console.log(JSON.stringify(choose(said.view, board)));
}
