// View state in the query string, so that it survives a page reload and can be shared as a link.

const PAUSE_MS = 200;
const later = new Map();

/** Returns a parameter of the query string; null if it is absent. */
export const remembered = (name) => new URLSearchParams(location.search).get(name);

/** Sets a parameter after a short delay, because browsers limit the rate of changes; null and '' remove it. */
export function remember(name, value) {
  clearTimeout(later.get(name));
  later.set(name, setTimeout(() => {
    const url = new URL(location.href);
    if (value === null || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    try {
      history.replaceState(history.state, '', url);
    } catch {
      // The browser refused, because of too many changes; the next change includes this one.
    }
  }, PAUSE_MS));
}
