/** Hit test: find the track or location nearest to a point of the map, so that a finger can hit
 * small ones too. */

/** @typedef {{ route: string } | { location: string }} Where */

export class Hits {
  /** @param {any} layout */
  constructor(layout) {
    this._spot = layout.spot * 1.4;
    this._places = layout.locations;
    this._spaces = layout.routes.flatMap((/** @type {any} */ { id, spaces }) =>
      spaces.map((/** @type {any} */ { x, y, angle, length, width }) => {
        const turn = (angle * Math.PI) / 180;
        return {
          id,
          x,
          y,
          cos: Math.cos(turn),
          sin: Math.sin(turn),
          long: length / 2 + 2,
          wide: width / 2,
        };
      }),
    );
  }

  /** Return the nearest track or location within `reach`, in the map's units.
   * @param {number} x @param {number} y @param {number} reach @returns {Where | null} */
  at(x, y, reach) {
    /** @type {Where | null} */ let nearest = null;
    let least = reach;
    for (const space of this._spaces) {
      const dx = x - space.x;
      const dy = y - space.y;
      const along = Math.max(0, Math.abs(dx * space.cos + dy * space.sin) - space.long);
      const across = Math.max(0, Math.abs(dy * space.cos - dx * space.sin) - space.wide);
      const far = Math.hypot(along, across);
      if (far < least) [nearest, least] = [{ route: space.id }, far];
    }
    for (const place of this._places) {
      const far = Math.max(0, Math.hypot(x - place.x, y - place.y) - this._spot);
      if (far < least || far === 0) [nearest, least] = [{ location: place.id }, far];
    }
    return nearest;
  }
}
