/** The dialog to manage the account. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, changes, client, keep, signedIn, signIn } from "../account.mjs";
import { Client } from "../client.mjs";
import { play } from "../sound.mjs";
import { save } from "../files.mjs";
import { set, settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { doing } from "../why.mjs";

const LONGEST = 10_000; // bytes of a file with a token
const words = texts.lobby.who;

/** The dialog; it has no content while it is closed. */
export class AccountDialog {
  /** @param {() => void} reopen shows the screen again after the account has changed */
  constructor(reopen) {
    this.reopen = reopen;
    this.dialog = document.createElement("dialog");
    this.dialog.className = "account card";
    this.dialog.setAttribute("aria-labelledby", "account-heading");
    document.body.append(this.dialog);
    this.dialog.addEventListener("close", () => this.draw());
    changes.addEventListener("change", () => this.draw());
    this.said = "";
    this.problem = "";
    this.isBusy = false;
    this.asking = ""; // the action to confirm: "out" or "delete"
    /** Once somebody looks. @type {import("./invitations.mjs").Invitations | null} */
    this.invitations = null;
  }

  open() {
    [this.said, this.problem, this.asking, this.invitations] = ["", "", "", null];
    this.dialog.showModal();
    this.draw();
  }

  draw() {
    render(
      this.dialog.open
        ? html` <form method="dialog" class="row">
              <h2 id="account-heading">${texts.app.account}</h2>
              <button aria-label=${texts.app.close}>✕</button>
            </form>
            ${account() ? this.mine() : this.nobody()} ${choices(() => this.draw())}
            <p role="status">${this.said}</p>
            <p class="problem" role="alert">${this.problem}</p>`
        : nothing,
      this.dialog,
    );
  }

  nobody() {
    return html`<p>${words.none}</p>
      <form
        class="fields"
        @submit=${this.does(async (/** @type {FormData} */ form) => {
          await signedIn(String(form.get("name")).trim() || undefined);
        })}
      >
        <label
          >${texts.app.name} <input name="name" maxlength="40" autocomplete="nickname"
        /></label>
        <button class="main">${words.make}</button>
      </form>
      <label class="file"
        >${words.load}
        <input
          type="file"
          accept=".json,.txt"
          @change=${(/** @type {Event} */ event) => this.load(event)}
      /></label>
      <p class="faint">${words.loadWhy}</p>`;
  }

  mine() {
    const me = account();
    return html` <form
        class="fields"
        @submit=${this.does(async (/** @type {FormData} */ form) => {
          const { id, name } = await client.patch("/v1/me", {
            body: { name: String(form.get("name")) },
          });
          if (me) keep({ ...me, id, name });
          return words.renamed;
        })}
      >
        <label
          >${texts.app.name}
          <input
            name="name"
            required
            maxlength="40"
            autocomplete="nickname"
            .value=${me?.name ?? ""}
        /></label>
        <button>${words.rename}</button>
      </form>
      <p>${words.kept}</p>
      <p class="row">
        <button class="main" @click=${() => this.download()}>${words.download}</button>
        <a href="/players/${me?.id}" @click=${() => this.dialog.close()}>${words.page}</a>
      </p>
      <details @toggle=${(/** @type {any} */ { target }) => target.open && this.showInvitations()}>
        <summary>${words.invitations}</summary>
        ${this.invitations?.show() ?? nothing}
      </details>
      ${
        this.asking
          ? this.confirmation()
          : html`<p class="row">
              <button @click=${() => this.ask("out")}>${words.out}</button>
              <button @click=${() => this.ask("delete")}>${words.delete}</button>
            </p>`
      }`;
  }

  showInvitations() {
    return withPart(
      ({ Invitations }) => {
        this.invitations ??= new Invitations(() => this.draw());
      },
      () => import("./invitations.mjs"),
    );
  }

  confirmation() {
    const isOut = this.asking === "out";
    return html`<form
      class="confirm"
      @submit=${this.does(async () => {
        const me = account();
        keep(null); // first, so that no request uses the deleted token
        if (!isOut && me)
          await new Client({ token: me.token }).delete("/v1/me").catch((problem) => {
            if (problem.status === 401) return; // already deleted: the first response was lost
            keep(me);
            throw problem;
          });
        return isOut ? words.isOut : words.isDeleted;
      })}
    >
      <p><strong>${isOut ? words.outWhy : words.deleteWhy}</strong></p>
      <p class="row">
        <button type="button" @click=${() => this.ask("")}>${texts.app.cancel}</button>
        <button>${isOut ? words.outYes : words.deleteYes}</button>
      </p>
    </form>`;
  }

  /** @param {string} what */
  ask(what) {
    this.asking = what;
    this.draw();
  }

  /** Wrap the action of a form, and show the message that it returns.
   * @param {(form: FormData) => Promise<string | void>} act
   * @returns {(event: SubmitEvent) => Promise<void>} */
  does(act) {
    return async (event) => {
      event.preventDefault();
      const before = account()?.id;
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      this.said = "";
      await doing(
        this,
        () => this.draw(),
        async () => {
          this.said = (await act(form)) ?? "";
          this.asking = "";
          if (account()?.id !== before) this.invitations = null;
        },
      );
      if (account()?.id !== before) this.reopen();
    };
  }

  /** Sign in with the token in a file. @param {Event} event */
  async load(event) {
    const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
    await doing(
      this,
      () => this.draw(),
      async () => {
        const token = /fogg_[\w-]+/.exec(file && file.size < LONGEST ? await file.text() : "")?.[0];
        if (!token) throw new Error(words.noToken);
        await signIn(token);
        this.dialog.close();
        this.reopen();
      },
    );
  }

  download() {
    const me = account();
    if (!me) return;
    const { id, name, token } = me;
    const text = JSON.stringify({ service: location.origin, id, name, token }, null, 2);
    save(new Blob([text], { type: "application/json" }), `fogg-${id}.json`);
  }
}

/** The settings of this browser, as a template. @param {() => void} draw shows them again */
function choices(draw) {
  const { pace, notifies, chimes } = settings();
  const box = (
    /** @type {string} */ text,
    /** @type {boolean} */ isOn,
    /** @type {(wants: boolean) => unknown} */ change,
  ) =>
    html`<label class="row"
      ><input
        type="checkbox"
        .checked=${isOn}
        @change=${async (/** @type {any} */ event) => {
          await change(event.target.checked);
          draw();
        }}
      />
      ${text}</label
    >`;
  const isRefused = notifies && Notification.permission === "denied";
  return html`<section class="settings">
    <h3>${texts.app.settings}</h3>
    <label class="row"
      >${texts.lobby.settings.pace}
      <select @change=${(/** @type {any} */ event) => set({ pace: event.target.value })}>
        ${Object.entries(texts.lobby.settings.paces).map(
          ([value, text]) =>
            html` <option value=${value} ?selected=${value === pace}>${text}</option>`,
        )}
      </select></label
    >
    ${
      "Notification" in window
        ? box(texts.lobby.settings.notifies, notifies, async (wants) => {
            set({ notifies: wants });
            if (wants) await Notification.requestPermission();
          })
        : nothing
    }
    ${isRefused ? html`<p class="problem" role="status">${texts.lobby.settings.refused}</p>` : nothing}
    ${box(texts.lobby.settings.chimes, chimes, (wants) => {
      set({ chimes: wants });
      if (wants) play("chime"); // to hear how it sounds
    })}
  </section>`;
}
