import { svg } from "../vendor/lit-html/lit-html.js";

/** @param {any} _board @param {any} layout @param {any} _view */
export const mini = (_board, layout, _view) => svg`<svg viewBox="0 0 ${layout.width} ${layout.height}"></svg>`;
