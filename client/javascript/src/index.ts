/** A client of Fogg: every request typed from openapi.yaml, sent again until it is answered. */

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./openapi.js";

export type { components, operations, paths } from "./openapi.js";
export type Schemas = components["schemas"];
export type Action = Schemas["Action"];
export type Board = Schemas["Board"];
export type Entry = Schemas["Entry"];
export type Notice = Schemas["Notice"];
export type View = Schemas["View"];

const BUSY = [429, 502, 503, 504];
const SILENCE = 60_000; // milliseconds after which a request, or a stream, is given up

/** What the service refuses; `body.code` is stable, and says why. */
export class Problem extends Error {
  constructor(readonly body: Schemas["Problem"]) {
    super(`${body.code}: ${body.detail}`);
  }
}

/** An account on a service, or nobody in particular without a token. */
export class Fogg {
  /** Every request by its path: `api.GET("/v1/games/{game}", { params: { path: { game } } })`. */
  readonly api: Client<paths>;

  constructor(
    readonly server: string,
    readonly token = "",
    readonly patience = 120_000, // milliseconds for which a request is sent again
  ) {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    this.api = createClient<paths>({
      baseUrl: server, headers, fetch: (request) => this.#patiently(request),
    });
  }

  /** Make an account; its token is shown this once. */
  static async signUp(server: string, name: string): Promise<Fogg> {
    const made = await told(new Fogg(server).api.POST("/v1/players", { body: { name } }));
    return new Fogg(server, made.token);
  }

  /** Send a request until it is answered in full. The key makes it count once. */
  async #patiently(request: Request): Promise<Response> {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key"))
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    const end = Date.now() + this.patience;
    for (let pause = 100; ; pause = Math.min(2 * pause, 5_000)) {
      let wait = pause * (0.5 + Math.random() / 2);
      try {
        const answer = await fetch(request.clone(), { signal: AbortSignal.timeout(SILENCE) });
        const body = await answer.arrayBuffer();
        if (!BUSY.includes(answer.status) || Date.now() > end)
          return new Response([204, 304].includes(answer.status) ? null : body, answer);
        wait = Math.max(wait, 1_000 * Number(answer.headers.get("Retry-After") ?? 0));
      } catch (error) {
        if (Date.now() > end) throw error;
      }
      await sleep(wait);
    }
  }

  /** What this account is to know of its games, as it happens; taken up again where it is cut. */
  async *notices(): AsyncGenerator<Notice> {
    for (let after = ""; ; await sleep(500)) {
      const query = after && `?after=${encodeURIComponent(after)}`;
      for await (const notice of this.#lines<Notice>(`/v1/me/events${query}`)) {
        yield notice;
        after = notice.cursor ?? after;
      }
    }
  }

  /** The lines of a stream until it is cut. A line without a word is a sign of life. */
  async *#lines<T>(path: string): AsyncGenerator<T> {
    const silent = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
    };
    try {
      heard();
      const headers = { Accept: "application/x-ndjson", Authorization: `Bearer ${this.token}` };
      const answer = await fetch(this.server + path, { headers, signal: silent.signal });
      if (answer.status >= 400 && !BUSY.includes(answer.status))
        throw new Problem((await answer.json()) as Schemas["Problem"]);
      const texts = answer.ok ? answer.body?.pipeThrough(new TextDecoderStream()) : undefined;
      let rest = "";
      for await (const text of texts ?? []) {
        heard();
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line) yield JSON.parse(line) as T;
      }
    } catch (error) {
      if (error instanceof Problem) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Choose in every game of this account whenever it is its turn; yield the games that are over,
   * as it sees them. Games that were under way are played on. */
  async *play(choose: (view: View, actions: Action[]) => Action): AsyncGenerator<View> {
    const known = new Map<string, number>(); // game -> the last version that we saw
    for await (const notice of this.notices()) {
      let view = notice.view;
      if (!view || view.version <= (known.get(view.id) ?? 0)) continue; // an answer told us before
      while (view.status === "playing" && view.you?.legal_actions?.length)
        view = await this.act(view, choose(view, view.you.legal_actions));
      known.set(view.id, view.version);
      if (view.status === "finished") yield view;
    }
  }

  /** Play an action on the position of a view; return the view after it, or, if the game has moved
   * on meanwhile, the view that is to be decided on instead. */
  async act(view: View, body: Action): Promise<View> {
    const path = { game: view.id };
    const header = { "If-Match": `"${view.version}"` };
    const answer = await this.api.POST("/v1/games/{game}/actions", { params: { path, header }, body });
    if (answer.response.status === 412)
      return told(this.api.GET("/v1/games/{game}", { params: { path } }));
    return (await told(answer)).view as View;
  }
}

/** The data of an answer; what the service refuses is thrown as a Problem. */
export async function told<T>(
  answer: { data?: T; error?: unknown } | Promise<{ data?: T; error?: unknown }>,
): Promise<T> {
  const { data, error } = await answer;
  if (error !== undefined) throw new Problem(error as Schemas["Problem"]);
  return data as T;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
