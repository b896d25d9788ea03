// Plays a whole game with what openapi-generator has made in Java; writes the two totals.
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.api.PlayersApi;
import org.openapitools.client.api.PlayingApi;
import org.openapitools.client.model.*;

public class Play {
    // Claim the longest route that can be claimed, else take a card.
    static int worth(Action action) {
        if (action.getActualInstance() instanceof ClaimRouteAction claim) {
            return 10 + claim.getCards().values().stream().mapToInt(Integer::intValue).sum();
        }
        return action.getActualInstance() instanceof DrawCardAction ? 5 : 0;
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        String token = new PlayersApi(client).createPlayer(new PlayerRequest().name("Java"), null)
            .getToken();
        client.setRequestInterceptor(
            request -> request.header("Authorization", "Bearer " + token));
        GamesApi games = new GamesApi(client);
        PlayingApi playing = new PlayingApi(client);

        FreshGameRequest fresh = new FreshGameRequest().board("london").seats(List.of(
            new SeatRequest(new MySeatRequest().player(MySeatRequest.PlayerEnum.ME)),
            new SeatRequest(new BotSeatRequest().bot(BotSeatRequest.BotEnum.RANDOM))));
        View view = games.createGame(new GameRequest(fresh), null);
        while (view.getStatus() != View.StatusEnum.FINISHED) {
            List<Action> actions = view.getYou().getLegalActions();
            if (!actions.isEmpty()) {
                Action best = actions.stream().max(Comparator.comparingInt(Play::worth)).get();
                view = playing.playAction(view.getId(), best, null, null, null, null, null).getView();
            } else {
                playing.listEvents(view.getId(), view.getVersion(), BigDecimal.valueOf(20),
                    null, null, null, null, null);
                view = games.getGame(view.getId(), null, null, null);
            }
        }
        for (Seat seat : view.getSeats()) {
            System.out.print(seat.getResult().getTotal() + " ");
        }
    }
}
