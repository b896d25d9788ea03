// Plays a whole game with what @hey-api/openapi-ts has made; writes the two totals.
import { client } from './client/client.gen.js';
import { createGame, createPlayer, getGame, listEvents, playAction } from './client/sdk.gen.js';
import type { Action } from './client/types.gen.js';

client.setConfig({ baseUrl: process.argv[2], throwOnError: true });
const { data: made } = await createPlayer({ body: { name: 'TypeScript' }, throwOnError: true });
client.setConfig({ auth: made.token });

// Claim the longest route that can be claimed, else take a card.
function worth(action: Action): number {
  if (action.type === 'claim_route') return 10 + Object.values(action.cards).reduce((a, b) => a + b);
  return action.type === 'draw_card' ? 5 : 0;
}

let { data: view } = await createGame({
  body: { board: 'london', seats: [{ player: 'me' }, { bot: 'random' }] }, throwOnError: true });
while (view.status !== 'finished') {
  const path = { game: view.id };
  const actions = view.you?.legal_actions ?? [];
  if (actions.length > 0) {
    const body = actions.reduce((best, each) => (worth(each) > worth(best) ? each : best));
    view = (await playAction({ path, body, throwOnError: true })).data.view!;
  } else {
    await listEvents({ path, query: { after: view.version, wait: 20 }, throwOnError: true });
    view = (await getGame({ path, throwOnError: true })).data;
  }
}
console.log(...view.seats.map((seat) => seat.result!.total));
