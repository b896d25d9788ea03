// Plays a whole game with what swagger-typescript-api has made; writes the two totals.
import { Api } from './client/client.js';
import type { Action } from './client/client.js';

const baseUrl = process.argv[2];
const { data: made } = await new Api({ baseUrl }).v1.createPlayer({ name: 'swagger-typescript-api' });
const { v1 } = new Api({ baseUrl, baseApiParams: {
  secure: true, headers: { Authorization: `Bearer ${made.token}` } } });

// Claim the longest route that can be claimed, else take a card.
function worth(action: Action): number {
  if (action.type === 'claim_route') return 10 + Object.values(action.cards).reduce((a, b) => a + b);
  return action.type === 'draw_card' ? 5 : 0;
}

let { data: view } = await v1.createGame({
  board: 'london', seats: [{ player: 'me' }, { bot: 'random' }] });
while (view.status !== 'finished') {
  const actions = view.you?.legal_actions ?? [];
  if (actions.length > 0) {
    const best = actions.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    view = (await v1.playAction(view.id, best)).data.view!;
  } else {
    await v1.listEvents(view.id, { after: view.version, wait: 20 });
    view = (await v1.getGame(view.id)).data;
  }
}
console.log(...view.seats.map((seat) => seat.result!.total));
