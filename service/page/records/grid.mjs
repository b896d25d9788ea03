/** Tables: with a caption, headed columns, and rows that can be sorted where the columns say by what. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";

/**
 * A column: its heading, what a row's cell shows, and what rows are sorted by, if they are.
 * `number` sets it to the right; `head` makes its cells the rows' headings.
 * @template Row
 * @typedef {{ title: unknown, cell: (row: Row) => unknown, by?: (row: Row) => string | number,
 *   number?: boolean, head?: boolean, kind?: string }} Column
 */

/** How a table is sorted. @typedef {{ column: number, down: boolean }} Order */

/**
 * @template Row
 * @param {string} caption
 * @param {(Column<Row> | undefined | false)[]} columns those that are not are left out
 * @param {Row[]} rows
 * @param {{ marked?: (row: Row) => boolean, order?: Order, sort?: (order: Order) => void,
 *   point?: (row: Row | null) => void, hidden?: boolean, empty?: string }} [more] `hidden`: the caption stands above it already
 */
export function grid(caption, columns, rows, { marked, order, sort, point, hidden, empty } = {}) {
  const shown = /** @type {Column<Row>[]} */ (columns.filter(Boolean));
  if (!rows.length && empty) return html`<p class="faint">${empty}</p>`;
  return html`<div class="scrolled" role="region" tabindex="0" aria-label=${caption}>
    <table>
      <caption class=${hidden ? "hidden-text" : ""}>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${shown.map((column, at) => heading(column, at, order, sort))}
        </tr>
      </thead>
      <tbody>
        ${sorted(rows, shown, order).map(
          (row) =>
            html` <tr
              class=${marked?.(row) ? "mine" : ""}
              @pointerenter=${point && (() => point(row))}
              @pointerleave=${point && (() => point(null))}
            >
              ${shown.map((column) => cell(column, row))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @template Row @param {Column<Row>} column @param {Row} row */
function cell(column, row) {
  const look = look_of(column);
  return column.head
    ? html`<th scope="row" class=${look}>${column.cell(row)}</th>`
    : html`<td class=${look}>${column.cell(row)}</td>`;
}

/** @template Row @param {Column<Row>} column */
const look_of = (column) => [column.number && "number", column.kind].filter(Boolean).join(" ");

/** @template Row @param {Column<Row>} column @param {number} at @param {Order} [order]
 * @param {(order: Order) => void} [sort] */
function heading(column, at, order, sort) {
  if (!column.by || !sort) {
    return html`<th scope="col" class=${look_of(column)}>${column.title}</th>`;
  }
  const here = order?.column === at;
  const down = here ? !order.down : Boolean(column.number); // numbers: the largest first
  const way = here ? (order.down ? "descending" : "ascending") : nothing;
  return html`<th scope="col" class=${look_of(column)} aria-sort=${way}>
    <button class="sort" title=${texts.boards.sort} @click=${() => sort({ column: at, down })}>
      ${column.title}<span aria-hidden="true">${here ? (order.down ? " ▾" : " ▴") : ""}</span>
    </button>
  </th>`;
}

/** @template Row @param {Row[]} rows @param {Column<Row>[]} columns @param {Order} [order] */
function sorted(rows, columns, order) {
  const by = order && columns[order.column]?.by;
  if (!by) return rows;
  const way = order.down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [by(one), by(other)];
    return way * (typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b));
  });
}
