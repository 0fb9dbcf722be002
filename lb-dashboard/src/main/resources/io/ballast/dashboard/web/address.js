// What is looked at, kept in the address bar: it survives that the page is loaded again, and can be sent to others.

const PAUSE_MS = 200;
const later = new Map();

/** What the address says under a name; null if it does not. */
export const remembered = (name) => new URLSearchParams(location.search).get(name);

/** Has the address say it, a moment later, as browsers limit how often it may change; null and '' take it out. */
export function remember(name, value) {
  clearTimeout(later.get(name));
  later.set(name, setTimeout(() => {
    const url = new URL(location.href);
    if (value === null || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    try {
      history.replaceState(history.state, '', url);
    } catch {
      // Changed too often for this browser: the next change says it.
    }
  }, PAUSE_MS));
}
