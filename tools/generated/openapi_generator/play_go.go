// Plays a whole game with what openapi-generator has made in Go; writes the two totals.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	fogg "example.com/fogg/client"
)

// Claim the longest route that can be claimed, else take a card.
func worth(action fogg.Action) int {
	switch action := action.GetActualInstance().(type) {
	case *fogg.ClaimRouteAction:
		worth := 10
		for _, count := range action.Cards {
			worth += int(count)
		}
		return worth
	case *fogg.DrawCardAction:
		return 5
	}
	return 0
}

func best(actions []fogg.Action) fogg.Action {
	found := actions[0]
	for _, action := range actions {
		if worth(action) > worth(found) {
			found = action
		}
	}
	return found
}

// What was answered, unless something has failed.
func must[Answer, Response any](answer Answer, _ Response, err error) Answer {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func main() {
	configuration := fogg.NewConfiguration()
	configuration.Servers[0].URL = os.Args[1]
	client := fogg.NewAPIClient(configuration)
	ctx := context.Background()

	made := must(client.PlayersAPI.CreatePlayer(ctx).PlayerRequest(*fogg.NewPlayerRequest("Go")).Execute())
	ctx = context.WithValue(ctx, fogg.ContextAccessToken, made.Token)
	game := fogg.NewFreshGameRequest("london", []fogg.SeatRequest{
		fogg.MySeatRequestAsSeatRequest(fogg.NewMySeatRequest("me")),
		fogg.BotSeatRequestAsSeatRequest(fogg.NewBotSeatRequest("random"))})
	view := must(client.GamesAPI.CreateGame(ctx).GameRequest(
		fogg.FreshGameRequestAsGameRequest(game)).Execute())
	for view.Status != "finished" {
		if len(view.You.LegalActions) > 0 {
			played := must(client.PlayingAPI.PlayAction(ctx, view.Id).Action(
				best(view.You.LegalActions)).Execute())
			view = played.View
		} else {
			must(client.PlayingAPI.ListEvents(ctx, view.Id).After(view.Version).Wait(20).Execute())
			view = must(client.GamesAPI.GetGame(ctx, view.Id).Execute())
		}
	}
	for _, seat := range view.Seats {
		fmt.Print(seat.Result.Total, " ")
	}
}
