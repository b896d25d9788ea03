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

/** Return the view after these entries for a viewer: a seat number, or null for a spectator. It
 * lacks deadlines, banks, invitation and legal actions, which entries do not contain. */
export function fold(entries: Iterable<Entry>, board: Board, viewer?: number | null): View;

/** A game at each of its versions. */
export class Timeline {
  /** `viewer` is the default viewer of the views. */
  constructor(board: Board, viewer?: number | null);

  board: Board;
  viewer: number | null;
  /** How many versions there are. */
  readonly length: number;
  /** The first version: 1, unless it began with a view. */
  readonly first: number;
  /** The last version, 0 before the first. */
  readonly version: number;

  /** Append an entry; throw a RangeError if its version is not the next. */
  push(entry: Entry): void;
  /** Append a view instead of an entry, or start with one. A fork that is under way needs this at
   * the entry that sets its position. */
  adopt(view: View): void;
  /** Remove all versions after this one, for a rollback at the service. */
  cut(version: number): void;

  /** Return the view at a version; throw a RangeError if there is none. Views share the objects
   * that are equal in both. */
  at(version: number, viewer?: number | null): View;
  /** The view at the last version. */
  last(viewer?: number | null): View;
}
