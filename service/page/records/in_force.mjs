/** The rules that a board adds to the common ones, in words; each by its number in the rules. */

import { declared } from "../declared.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { sentenceOf } from "../sentences.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

const words = texts.boards;
const RULES = "/docs/rules.md";

/** An offer of tickets in words. @param {API["Offer"]} offer */
export const offer = ({ deal, keep, long, refused }) => words.offer(deal, long ?? 0, keep)
  + (refused === "removed" ? words.removed : "");

/** @param {API["Board"]} board */
export function inForce(board) {
  return html`<ul class="in-force">
    ${board.rules.map((rule) => {
      const about = own(board.declared.rules, rule);
      return html`<li><strong>${own(words.ruleNames, rule) ?? sentenceOf(rule)}.</strong>
        ${declared(board, "rules", rule, board)} ${about?.number ? number(about.number) : nothing}</li>`;
    })}
    ${board.doubles_closed_for.length ? html`<li><strong>${words.doubles}</strong>
      ${words.doublesClosed(board.doubles_closed_for.join(words.or))} ${number("4.2")}</li>` : nothing}
    <li><strong>${words.ties}</strong> ${board.tie_breaks.map((by) => own(words.tieBreaks, by) ?? by).join(words.then)} ${number("7.4")}</li>
  </ul><p><a href=${RULES}>${words.allRules}</a></p>`;
}

/** @param {string} rule */
const number = (rule) => html`<a href=${RULES} class="faint">${words.rule} ${rule}</a>`;
