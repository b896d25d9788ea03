// Plays a whole game with what openapi-zod-client has made, which checks every answer; writes the
// two totals.
import { createApiClient, schemas } from './client/client.js';
import type { z } from 'zod';

type Action = z.infer<typeof schemas.Action>;

const api = createApiClient(process.argv[2]!);
const made = await api.createPlayer({ name: 'zod' });
api.axios.defaults.headers.common.Authorization = `Bearer ${made.token}`;

// Claim the longest route that can be claimed, else take a card.
function worth(action: Action): number {
  if (action.type === 'claim_route') return 10 + Object.values(action.cards).reduce((a, b) => a + b);
  return action.type === 'draw_card' ? 5 : 0;
}

let view = await api.createGame({ board: 'london', seats: [{ player: 'me' }, { bot: 'random' }] });
while (view.status !== 'finished') {
  const params = { game: view.id };
  const actions = view.you?.legal_actions ?? [];
  if (actions.length > 0) {
    const best = actions.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    view = (await api.playAction(best, { params })).view!;
  } else {
    await api.listEvents({ params, queries: { after: view.version, wait: 20 } });
    view = await api.getGame({ params });
  }
}
console.log(...view.seats.map((seat) => seat.result!.total));
