export class Client {
  constructor({ server = "", token = "" } = {}) { this.server = server; this.token = token; }
  /** @param {string} path @param {any} [more] @returns {Promise<any>} */
  async get(path, more = {}) { return this.ask("GET", path, more); }
  /** @param {string} path @param {any} [more] @returns {Promise<any>} */
  async post(path, more = {}) { return this.ask("POST", path, more); }
  /** @param {string} method @param {string} path @param {any} more */
  async ask(method, path, { query = {}, body } = {}) {
    const answer = await fetch(`${this.server}${path}?${new URLSearchParams(query)}`, { method, body: body && JSON.stringify(body),
      headers: { ...(this.token && { Authorization: `Bearer ${this.token}` }), ...(body && { "Content-Type": "application/json" }) } });
    return answer.json();
  }
  /** @param {string} _path @param {any} _more @returns {AsyncGenerator<any>} */
  async *stream(_path, _more) {}
}
