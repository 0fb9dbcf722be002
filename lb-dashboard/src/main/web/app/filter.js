// The text filter and the state filter above the pools.
import { html, useEffect, useRef } from './vendor.js';
import { remember, remembered } from './address.js';
import { count } from './format.js';
import { allBackends } from './store.js';

const STATES = ['down', 'ejected', 'maintenance', 'draining', 'unknown', 'up'];

/** The filter that matches every backend. */
export const ALL = { text: '', state: null };

/** Returns the filter of the query string. */
export function filterOfAddress() {
  const state = remembered('state');
  return { text: remembered('filter') ?? '', state: STATES.includes(state) ? state : null };
}

export function rememberFilter({ text, state }) {
  remember('filter', text.trim());
  remember('state', state);
}

/** Returns whether the filter excludes anything. */
export const isNarrow = (filter) => filter.state !== null || filter.text.trim() !== '';

/** Returns whether a backend matches; `filter` is { text, state }, where state null matches all. */
export function passes(filter, backend) {
  if (filter.state && backend.health.state !== filter.state) return false;
  const wanted = filter.text.trim().toLowerCase();
  return wanted === '' || `${backend.key} ${backend.health.state} ${backend.health.reason}`.toLowerCase().includes(wanted);
}

/** Shows the filter; `setFilter` takes a filter, or a function of the previous filter. */
export function FilterBar({ filter, setFilter, children }) {
  const input = useRef(null);
  useEffect(() => {
    const slash = (event) => {
      const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current.focus();
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
  const counts = {};
  for (const backend of allBackends()) counts[backend.health.state] = (counts[backend.health.state] ?? 0) + 1;
  const chip = (state, text, number) => html`<button type="button" class=${`chip${state ? ` is-${state}` : ''}`} aria-pressed=${filter.state === state}
    onClick=${() => setFilter((before) => ({ ...before, state }))}>${text} <b>${number}</b></button>`;
  return html`<div class="filter" role="search">
    <label><span class="unseen">Filter backends</span>
      <input ref=${input} type="search" placeholder="Filter backends" value=${filter.text} aria-keyshortcuts="/"
        onInput=${({ target: { value } }) => setFilter((before) => ({ ...before, text: value }))}
        onKeyDown=${(event) => event.key === 'Escape' && setFilter((before) => ({ ...before, text: '' }))} />
      <kbd aria-hidden="true">/</kbd></label>
    <span class="chips" role="group" aria-label="State">
      ${chip(null, 'all', count(allBackends().length))}
      ${STATES.filter((state) => counts[state] || filter.state === state).map((state) => chip(state, state, count(counts[state] ?? 0)))}
    </span>
    ${children}
  </div>`;
}
