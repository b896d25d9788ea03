// Plays a whole game with what openapi-generator has made for fetch; writes the two totals.
import { Configuration, GamesApi, PlayersApi, PlayingApi } from './client/index.js';
import type { Action } from './client/index.js';

const basePath = process.argv[2];
const made = await new PlayersApi(new Configuration({ basePath })).createPlayer(
  { playerRequest: { name: 'Fetch' } });
const me = new Configuration({ basePath, accessToken: made.token });
const games = new GamesApi(me);
const playing = new PlayingApi(me);

// Claim the longest route that can be claimed, else take a card.
function worth(action: Action): number {
  if (action.type === 'claim_route') return 10 + Object.values(action.cards).reduce((a, b) => a + b);
  return action.type === 'draw_card' ? 5 : 0;
}

let view = await games.createGame({
  gameRequest: { board: 'london', seats: [{ player: 'me' }, { bot: 'random' }] } });
while (view.status !== 'finished') {
  const game = view.id;
  const actions = view.you?.legalActions ?? [];
  if (actions.length > 0) {
    const action = actions.reduce((best, each) => (worth(each) > worth(best) ? each : best));
    view = (await playing.playAction({ game, action })).view!;
  } else {
    await playing.listEvents({ game, after: view.version, wait: 20 });
    view = await games.getGame({ game });
  }
}
console.log(...view.seats.map((seat) => seat.result!.total));
