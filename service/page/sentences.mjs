/**
 * Templates for events, actions and marks of the map in words. The board that the API serves
 * declares them (`declared`); domain/sentences.py documents their syntax.
 *
 * @typedef {Record<string, (value: any) => string>} Readers what each kind of member is in words, and
 *    `other` what all others are
 */

import { own } from "./own.mjs";

const CONDITION = /^(\w+)(?:=(\w+))?\? /;
const OPTIONAL = /\[([^\]]*)\]/g;
const MEMBER = /\{(\w+(?:\+\w+)*)(?::(\w+)| ([^}|]+)(?:\|([^}]+))?)?\}/g;

/**
 * An object in words; undefined if no template applies.
 * @param {string | string[]} templates @param {Record<string, any>} value @param {Readers} readers
 * @param {(number: number, noun: string, nouns?: string) => string} count a number with its noun
 */
export function sentence(templates, value, readers, count) {
  for (const template of [templates].flat()) {
    const [start = "", member, wanted] = CONDITION.exec(template) ?? [];
    const is = member && own(value, member);
    if (!member || (is !== undefined && (wanted === undefined || String(is) === wanted))) {
      return filled(template.slice(start.length), value, readers, count);
    }
  }
  return undefined;
}

/** @type {(template: string, value: Record<string, any>, readers: Readers,
 *    count: (number: number, noun: string, nouns?: string) => string) => string} */
const filled = (template, value, readers, count) =>
  template
    .replace(OPTIONAL, (_, part) =>
      [...part.matchAll(MEMBER)].every(([, name]) => own(value, name) !== undefined) ? part : "",
    )
    .replace(MEMBER, (_, name, kind, noun, nouns) => {
      if (noun || kind === "number") {
        const number = name
          .split("+")
          .reduce(
            (/** @type {number} */ sum, /** @type {string} */ part) => sum + many(value, part),
            0,
          );
        return noun ? count(number, noun, nouns) : String(number);
      }
      return (own(readers, kind ?? name) ?? readers.other)(own(value, name) ?? "");
    });

/** The count that a member stands for: a number, a list's length, or the count of a hidden list.
 * @param {Record<string, any>} value @param {string} name @returns {number} */
const many = (value, name) => {
  const given = own(value, name) ?? own(value, `${name}_count`) ?? 0;
  return Array.isArray(given) ? given.length : Number(given);
};

/** Return the events of an entry. Merge events of one type that turn a card without a seat into the
 * last of them, with the list of all cards as its `card`.
 * @template {{ type: string, card?: any, seat?: number }} E @param {E[]} events @returns {E[]} */
export const merged = (events) =>
  events.flatMap((event, at) => {
    if (event.card === undefined || event.seat !== undefined) return [event];
    const alike = events.filter(({ type }) => type === event.type);
    return alike.at(-1) === events[at] ? [{ ...event, card: alike.map(({ card }) => card) }] : [];
  });

/** A name as the beginning of a sentence: "in_position" is "In position". @param {string} name */
export const sentenceOf = (name) =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
