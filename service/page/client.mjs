/**
 * A client of the Fogg API, for an account or anonymous.
 *
 * Requests are retried until `patience` ends: after a lost connection, while the service starts,
 * and when it limits the rate. Retries are safe: reads change nothing, and each POST carries an
 * `Idempotency-Key`, by which the service recognizes a request that it has answered already. The
 * client imports nothing: it runs in browsers, also on pages without https, and in Node.js.
 *
 * @import { Message, Options, StreamOptions } from "./client.js"
 */

const BUSY = [429, 502, 503, 504];
const GONE_BACK = ["history-lost", "version-ahead"];
const ANSWER = 20_000; // milliseconds without data after which a request is given up
const SILENCE = 45_000; // milliseconds; a stream sends data every 15 seconds
const [FIRST_PAUSE, LONGEST_PAUSE, LONGEST_WAIT] = [50, 5_000, 300_000]; // milliseconds between tries; the last if asked
const STREAM = "text/event-stream";
const UNREACHABLE = { code: "unreachable", detail: "the service cannot be reached" };

/** The service returned an error, or is unreachable (`status` 0, `code` `unreachable`). */
export class Problem extends Error {
  /** @param {number} status @param {Record<string, any>} body the problem document
   * @param {ErrorOptions} [options] */
  constructor(status, body, options) {
    super(body.detail ?? body.title ?? `the answer was ${status}`, options);
    this.name = "Problem";
    this.status = status;
    this.body = body;
    this.code = String(body.code ?? ""); // stable; the message may change
    /** The number of the game rule that the request violates. @type {string | undefined} */
    this.rule = body.rule;
    /** The member of the request that is at fault. @type {string | undefined} */
    this.field = body.field;
    /** All members at fault. @type {{ field: string, reason: string }[]} */
    this.errors = body.errors ?? [];
  }
}

export class Client {
  /** @type {Map<string, { tag: string, body: any }>} */ #boards = new Map();

  /** An empty `server` means the service of the page. A request is retried for `patience`
   * milliseconds; a stream reconnects after `silence` milliseconds without data.
   * @param {{ server?: string, token?: string, patience?: number, silence?: number }} [is] */
  constructor({ server = "", token = "", patience = 30_000, silence = SILENCE } = {}) {
    this.server = server.replace(/\/$/, "");
    this.token = token;
    this.patience = patience;
    this.silence = silence;
  }

  /** Fetch a path; return its JSON, null for an empty body. @param {string} path
   * @param {Options} [options] @returns {Promise<any>} */
  async get(path, options) {
    return this.#ask("GET", path, options);
  }

  /** Post a body; return the answer. Retries are idempotent: the service acts on it once.
   * @param {string} path @param {Options} [options] @returns {Promise<any>} */
  async post(path, options) {
    return this.#ask("POST", path, { body: {}, ...options });
  }

  /** @param {string} path @param {Options} [options] @returns {Promise<any>} */
  async put(path, options) {
    return this.#ask("PUT", path, options);
  }

  /** @param {string} path @param {Options} [options] @returns {Promise<any>} */
  async patch(path, options) {
    return this.#ask("PATCH", path, options);
  }

  /** @param {string} path @param {Options} [options] @returns {Promise<any>} */
  async delete(path, options) {
    return this.#ask("DELETE", path, options);
  }

  /** @param {string} method @param {string} path @param {Options} [options] @returns {Promise<any>} */
  async #ask(method, path, { query = {}, body, key, ifMatch, prefer, signal } = {}) {
    const url = this.#url(path, query);
    const known = method === "GET" ? this.#boards.get(url) : undefined;
    if (known && "digest" in query) return known.body; // which never changes
    const headers = new Headers({ Accept: "application/json" });
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (key) headers.set("Idempotency-Key", key);
    if (ifMatch !== undefined) headers.set("If-Match", `"${ifMatch}"`);
    if (prefer) headers.set("Prefer", prefer);
    if (known) headers.set("If-None-Match", known.tag);
    const text = body === undefined ? undefined : JSON.stringify(body);
    // Not through the browser's cache: what it keeps may be the answer to another account.
    const answer = await this.fetch(
      new Request(url, { method, headers, body: text, signal, cache: "no-store" }),
      ANSWER + 1000 * Number(query.wait ?? 0),
    );
    if (known && answer.status === 304) return known.body;
    if (!answer.ok) throw await problemOf(answer);
    const content = answer.status === 204 ? null : await answer.json();
    const tag = answer.headers.get("ETag");
    if (method === "GET" && tag && path.startsWith("/v1/boards/")) {
      this.#boards.set(url, { tag, body: content });
    }
    return content;
  }

  /** Return the response to a request, with any status; retry until there is one.
   * @param {Request} request @param {number} [silence] milliseconds @returns {Promise<Response>} */
  async fetch(request, silence = ANSWER) {
    if (this.token) request.headers.set("Authorization", `Bearer ${this.token}`);
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", randomKey());
    }
    const end = Date.now() + this.patience;
    for (const tries = pauses(); ;) {
      let [wait, answer] = [tries.next().value, /** @type {Response | undefined} */ (undefined)];
      /** @type {unknown} */ let cause;
      const watch = new Watch(silence, request.signal);
      try {
        const begun = await fetch(request.clone(), { signal: watch.signal });
        const body = await begun.arrayBuffer();
        answer = new Response(body.byteLength ? body : null, begun);
        wait = Math.max(wait, askedToWait(begun));
      } catch (error) {
        request.signal.throwIfAborted();
        cause = error;
      } finally {
        watch.end();
      }
      const isLast = Date.now() + wait > end;
      if (answer && (isLast || !BUSY.includes(answer.status))) return answer;
      if (isLast) throw new Problem(0, UNREACHABLE, { cause });
      this.retries(request, answer?.status ?? 0);
      await sleep(wait, request.signal);
    }
  }

  /** Called before a request is sent again. @param {Request} _request @param {number} _status of the answer, or 0 */
  retries(_request, _status) {}

  /**
   * Yield the messages of an event stream until the service ends it or the signal aborts. If it is
   * cut or silent, reconnect after the last message, without a time limit. Messages without an id
   * may be repeated (such as the `view` of a game). After a rollback of a game, a message `lost`
   * has the version from which its entries are repeated.
   * @param {string} path @param {StreamOptions} [options]
   * @returns {AsyncGenerator<Message, void, undefined>}
   */
  async *stream(path, { after, query = {}, signal, onState = () => {} } = {}) {
    const reader = new Reader(after === undefined ? "" : String(after));
    for (let tries = pauses(); !signal?.aborted;) {
      let [isCut, wait] = [false, 0];
      const watch = new Watch(this.silence, signal);
      try {
        const answer = await this.#open(this.#url(path, query), reader.last, watch.signal);
        if (answer.status === 204) return;
        if (answer.ok && isStream(answer)) {
          onState("connected");
          tries = pauses();
          for await (const message of reader.messages(chunks(answer, watch))) yield message;
        } else if (BUSY.includes(answer.status))
          [isCut, wait] = [true, Math.min(LONGEST_WAIT, askedToWait(answer))];
        else yield reader.goBack(await problemOf(answer));
      } catch (error) {
        if (error instanceof Problem || error instanceof SyntaxError) throw error;
        isCut = true;
      } finally {
        watch.end();
      }
      if (signal?.aborted) return;
      if (isCut) onState("reconnecting");
      await sleep(Math.max(wait, tries.next().value), signal).catch(() => {});
    }
  }

  /** @param {string} url @param {string} last @param {AbortSignal} signal */
  #open(url, last, signal) {
    const headers = new Headers({ Accept: STREAM });
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    if (last) headers.set("Last-Event-ID", last);
    return fetch(url, { headers, signal, cache: "no-store" });
  }

  /** @param {string} path @param {Record<string, any>} query */
  #url(path, query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const words = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.server + path + (given.length ? `?${words}` : "");
  }
}

/** Parses consecutive event streams (HTML standard, 9.2.6). */
class Reader {
  /** @param {string} last the id to resume after: of the last message that came whole */
  constructor(last) {
    this.last = last;
  }

  /** @param {AsyncIterable<string>} texts @returns {AsyncGenerator<Message, void, undefined>} */
  async *messages(texts) {
    let [event, data, id, rest] = ["", "", this.last, ""];
    for await (const text of texts) {
      const lines = (rest + text).split(/\r?\n/); // none has been seen that ends lines with CR alone
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, name, value] = /** @type {string[]} */ (/^([^:]*):? ?(.*)$/s.exec(line));
        if (name === "event") event = value;
        else if (name === "data") data += `${value}\n`;
        else if (name === "id" && !value.includes("\0")) id = value;
        else if (line === "") {
          const message = data && { id, event: event || "message", data: JSON.parse(data) };
          [event, data, this.last] = ["", "", id];
          if (message) yield message;
        }
      }
    }
  }

  /** Return the `lost` message that the stream would have sent after a rollback of the game; throw
   * any other problem. @param {Problem} problem @returns {Message} */
  goBack(problem) {
    const { version, previous_version = Number(this.last) } = problem.body;
    if (!GONE_BACK.includes(problem.code) || version === undefined) throw problem;
    this.last = String(version);
    return { id: this.last, event: "lost", data: { version, previous_version } };
  }
}

/** An abort signal that fires after a silence, or together with another signal. */
class Watch {
  #controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #abort = () => this.#controller.abort();

  /** @param {number} silence milliseconds @param {AbortSignal} [other] */
  constructor(silence, other) {
    this.silence = silence;
    this.other = other;
    other?.addEventListener("abort", this.#abort);
    if (other?.aborted) this.#abort();
    this.heard();
  }

  get signal() {
    return this.#controller.signal;
  }

  heard() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, this.silence);
  }

  end() {
    clearTimeout(this.#timer);
    this.other?.removeEventListener("abort", this.#abort);
    this.#abort(); // cancel pending requests
  }
}

/** The text of an answer, as it comes. @param {Response} answer @param {Watch} watch */
async function* chunks(answer, watch) {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    watch.heard();
    yield decoder.decode(part.value, { stream: true });
  }
}

/** @param {Response} answer */
async function problemOf(answer) {
  const body = await answer.json().catch(() => ({})); // the answer may come from a proxy
  return new Problem(answer.status, body && typeof body === "object" ? body : {});
}

/** Whether it is an event stream. @param {Response} answer */
const isStream = ({ headers }) => (headers.get("Content-Type") ?? "").startsWith(STREAM);

/** The milliseconds that the service asks to wait. The header holds seconds or, from proxies, a date
 * (RFC 9110, 10.2.3), which is compared with the date of the answer. @param {Response} answer */
const askedToWait = ({ headers }) => {
  const value = headers.get("Retry-After") ?? "";
  const [until, here] = [value, headers.get("Date") ?? ""].map((date) =>
    Date.parse(date.endsWith("GMT") ? date : `${date} GMT`),
  );
  return Math.max(
    0,
    (/^[A-Z]/.test(value) ? until - (here || Date.now()) : 1000 * Number(value)) || 0,
  );
};

/** The milliseconds between retries: exponential backoff with jitter.
 * @returns {Generator<number, never, void>} */
function* pauses() {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    yield pause * (0.5 + Math.random() / 2);
  }
}

/** @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => [clearTimeout(timer), reject(signal?.reason)];
    const timer = setTimeout(
      () => resolve(signal?.removeEventListener("abort", stop)),
      milliseconds,
    );
    signal?.addEventListener("abort", stop);
  });
}

/** 128 random bits. `crypto.randomUUID` exists only on pages with https. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
