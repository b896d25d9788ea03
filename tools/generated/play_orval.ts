// Plays a whole game with what orval has made; writes the two totals.
import { createGame, createPlayer, getGame, listEvents, playAction } from './client/client.js';
import type { Action, View } from './client/client.js';

// What is made asks for paths: the address of the service and the token are added here.
const ask = globalThis.fetch;
const headers: Record<string, string> = {};
globalThis.fetch = (path, init) =>
  ask(new URL(String(path), process.argv[2]), { ...init, headers: { ...init?.headers, ...headers } });

// Claim the longest route that can be claimed, else take a card.
function worth(action: Action): number {
  if (action.type === 'claim_route') return 10 + Object.values(action.cards).reduce((a, b) => a + b);
  return action.type === 'draw_card' ? 5 : 0;
}

async function look(game: string): Promise<View> {
  const answer = await getGame(game);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}

const made = await createPlayer({ name: 'orval' });
if (made.status !== 201) throw new Error(JSON.stringify(made.data));
headers.Authorization = `Bearer ${made.data.token}`;
const game = await createGame({ board: 'london', seats: [{ player: 'me' }, { bot: 'random' }] });
if (game.status !== 201) throw new Error(JSON.stringify(game.data));
let view = game.data;
while (view.status !== 'finished') {
  const actions = view.you?.legal_actions ?? [];
  if (actions.length > 0) {
    const best = actions.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    const played = await playAction(view.id, best);
    if (played.status !== 200) throw new Error(JSON.stringify(played.data));
    view = played.data.view!;
  } else {
    await listEvents(view.id, { after: view.version, wait: 20 });
    view = await look(view.id);
  }
}
console.log(...view.seats.map((seat) => seat.result!.total));
