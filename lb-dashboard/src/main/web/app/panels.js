// The panels of the page. Each panel adds itself, so no other file names it.

/** The places of the page from top to bottom: across the page, two columns, and across the page again. */
const PLACES = ['top', 'left', 'right', 'bottom'];
const panels = [];

/**
 * Adds a panel: `id` is the id of its section, `name` the text of the link to it, and `order` its position among the
 * panels of the same place. `place` returns the place, or a false value while the panel is hidden. `Panel` is the
 * component; it may use the properties `filter`, `setFilter`, `showPool`, `openBackend` and `openService`.
 */
export function addPanel({ id, name, order, place, Panel }) {
  panels.push({ id, name, order, place, Panel });
}

/** Returns the visible panels of one place. */
export function panelsAt(wanted) {
  return panels.filter(({ place }) => place() === wanted).sort((a, b) => a.order - b.order);
}

/** Returns all visible panels in the order of the page. */
export function visiblePanels() {
  return PLACES.flatMap(panelsAt);
}
