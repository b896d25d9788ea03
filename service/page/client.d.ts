/** The types of client.mjs. */

export interface Options {
  /** What is asked for; a member that is undefined is left out. */
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** The Idempotency-Key of a request that may have been sent before; else one is made. */
  key?: string;
  /** The version that a game must still be at. */
  ifMatch?: number;
  /** As the header of that name: `return=minimal`. */
  prefer?: string;
  signal?: AbortSignal;
}

export interface StreamOptions extends Pick<Options, "query" | "signal"> {
  /** The version, cursor or id after which to begin. */
  after?: string | number;
  onState?: (state: "connected" | "reconnecting") => void;
}

export interface Message {
  /** Where to resume after it; empty if nothing that came had an id. */
  id: string;
  event: string;
  /** Its data, read as JSON. */
  data: any;
}

/** The service said no, or cannot be reached: then `status` is 0 and `code` is `unreachable`. */
export class Problem extends Error {
  constructor(status: number, body: Record<string, any>, options?: ErrorOptions);
  status: number;
  /** The problem document. */
  body: Record<string, any>;
  /** What is wrong: it stays the same, the words may not. */
  readonly code: string;
  /** The number of the rule that refused it. */
  readonly rule: string | undefined;
  /** The member of the request that is at fault. */
  readonly field: string | undefined;
  readonly errors: { field: string; reason: string }[];
}

/** Asks a service, as an account or, without a token, as nobody in particular. Requests are sent
 * again until they are answered or `patience` ends; each counts once. A stream that is silent
 * for so long is taken to be cut. Both are in milliseconds. */
export class Client {
  constructor(is?: { server?: string; token?: string; patience?: number; silence?: number });
  server: string;
  token: string;
  patience: number;
  silence: number;

  /** The answer as JSON, null where there is none; a Problem is thrown. Boards are kept. */
  get(path: string, options?: Options): Promise<any>;
  post(path: string, options?: Options): Promise<any>;
  put(path: string, options?: Options): Promise<any>;
  patch(path: string, options?: Options): Promise<any>;
  delete(path: string, options?: Options): Promise<any>;
  /** The whole answer to a request, whatever its status. */
  fetch(request: Request, silence?: number): Promise<Response>;
  /** The messages of an event stream as they come, until it is over or the signal aborts; taken up
   * again where it is cut or silent. */
  stream(path: string, options?: StreamOptions): AsyncGenerator<Message, void, undefined>;
}
