/**
 * The types of fold.mjs. Those of the API are made from openapi.yaml, into the same folder:
 *
 *     npx openapi-typescript openapi.yaml --output openapi.d.ts
 */
import type { components } from "./openapi.js";

type Schemas = components["schemas"];
export type Board = Schemas["Board"];
export type Entry = Schemas["Entry"];
export type Event = Entry["events"][number];
export type View = Schemas["View"];
/** Colour to count, without the zeros. */
export type Cards = Record<string, number>;

/** The view after these entries, as a viewer may see it: a seat's number, or null for anybody else.
 * Without deadlines, banks, invitation and legal actions, which entries do not tell. */
export function fold(entries: Iterable<Entry>, board: Board, viewer?: number | null): View;

/** A game at each of its versions. */
export class Timeline {
  /** `viewer` is whose views are meant where none is named. */
  constructor(board: Board, viewer?: number | null);

  board: Board;
  viewer: number | null;
  /** How many versions there are. */
  readonly length: number;
  /** The first version: 1, unless it began with a view. */
  readonly first: number;
  /** The last version, 0 before the first. */
  readonly version: number;

  /** Go on by an entry; RangeError if it is not the one after the last. */
  push(entry: Entry): void;
  /** Go on by a view instead of an entry, or begin with one: a fork that is under way needs that
   * where its position is set. */
  adopt(view: View): void;
  /** Forget all after a version, as when the service says that it has lost it. */
  cut(version: number): void;

  /** The view at a version; RangeError if there is none. What is the same at two versions is the
   * same object in both views. */
  at(version: number, viewer?: number | null): View;
  /** The view at the last version. */
  last(viewer?: number | null): View;
}
