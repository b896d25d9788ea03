/** A client of Fogg: every request typed from openapi.yaml, sent again until it is answered. */

import createClient, { type Client as Api } from "openapi-fetch";
import { Client, Problem } from "./client.mjs";
import type { components, paths } from "./openapi.js";

export { Client, Problem, type Message, type Options, type StreamOptions } from "./client.mjs";
export type { components, operations, paths } from "./openapi.js";
export type Schemas = components["schemas"];
export type Action = Schemas["Action"];
export type Board = Schemas["Board"];
export type Entry = Schemas["Entry"];
export type Notice = Schemas["Notice"];
export type View = Schemas["View"];

/** Codes of refusals after which the view is asked for again: the service has lost entries. */
const STALE = ["history-lost", "version-ahead"];

/** An account on a service, or nobody in particular without a token. */
export class Fogg {
  /** Every request by its path: `api.GET("/v1/games/{game}", { params: { path: { game } } })`. */
  readonly api: Api<paths>;
  /** Sends the requests, and reads streams. */
  readonly client: Client;

  /** `patience` is the milliseconds for which a request is sent again. */
  constructor(readonly server: string, readonly token = "", patience = 120_000) {
    this.client = new Client({ server, token, patience });
    this.api = createClient<paths>({
      baseUrl: server, fetch: (request) => this.client.fetch(request),
    });
  }

  /** Make an account; its token is shown this once. */
  static async signUp(server: string, name: string): Promise<Fogg> {
    const made = await told(new Fogg(server).api.POST("/v1/players", { body: { name } }));
    return new Fogg(server, made.token);
  }

  /** The notices of this account, as they happen; a lost connection is resumed. */
  async *notices(): AsyncGenerator<Notice> {
    for await (const { data } of this.client.stream("/v1/me/events")) yield data as Notice;
  }

  /** Play all games of this account, also those already begun; yield the view of each finished
   * game. */
  async *play(choose: (view: View, actions: Action[]) => Action): AsyncGenerator<View> {
    const known = new Map<string, number>(); // game -> the last version that we saw
    for await (const notice of this.notices()) {
      if (notice.type === "lost") known.delete(notice.game); // its versions come once more
      let view = notice.view;
      if (!view || view.version <= (known.get(view.id) ?? 0)) continue; // an answer told us before
      while (view.status === "playing" && view.you?.legal_actions?.length)
        view = await this.act(view, choose(view, view.you.legal_actions));
      known.set(view.id, view.version);
      if (view.status === "finished") yield view;
    }
  }

  /** Play an action on the position of a view; return the view after it. If the game has moved on,
   * return its newer view instead; nothing was played. */
  async act(view: View, body: Action): Promise<View> {
    const path = { game: view.id };
    const header = { "If-Match": `"${view.version}"` };
    const answer = await this.api.POST("/v1/games/{game}/actions", { params: { path, header }, body });
    if (answer.response.status === 412 || STALE.includes(answer.error?.code ?? ""))
      return told(this.api.GET("/v1/games/{game}", { params: { path } }));
    return (await told(answer)).view as View;
  }
}

/** The data of an answer; what the service refuses is thrown as a Problem. */
export async function told<T>(answer: Answer<T> | Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (error !== undefined) throw new Problem(response.status, error as Schemas["Problem"]);
  return data as T;
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}
