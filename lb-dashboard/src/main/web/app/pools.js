// All pools: filter, order, and which ones are collapsed.
import { html, useRef, useState } from './vendor.js';
import { count } from './format.js';
import { revision, state } from './store.js';
import { ALL, FilterBar, isNarrow, passes } from './filter.js';
import { Pool } from './pool.js';
import { addPanel } from './panels.js';

/** With more pools or more backends than this, pools start collapsed, and pools with problems come first. */
const OPEN_POOLS = 3;
const OPEN_BACKENDS = 60;
/** Number of pools that are listed before "Show all" is clicked. */
const LISTED_POOLS = 25;

function Pools({ filter, setFilter, openBackend }) {
  void revision.value; // A component with state is rendered again only for changes of its properties and signals.
  const [chosen, setChosen] = useState({});
  const [everyPool, setEveryPool] = useState(false);
  const first = useRef({});
  const backends = state.pools.reduce((sum, pool) => sum + pool.backends.length, 0);
  const many = state.pools.length > OPEN_POOLS || (state.pools.length > 1 && backends > OPEN_BACKENDS);
  const narrow = isNarrow(filter);
  const shown = (many ? inNeedFirst(state.pools) : state.pools)
    .map((pool) => ({ pool, rows: pool.backends.filter((backend) => passes(filter, backend)) }))
    .filter(({ rows }) => !narrow || rows.length > 0);
  const listed = everyPool ? shown : shown.slice(0, LISTED_POOLS);
  // Decided when a pool is first seen, so that pools that a reload adds do not collapse the others.
  first.current = Object.fromEntries(state.pools.map(({ name }) => [name, first.current[name] ?? !many]));
  const isOpen = (pool) => narrow || (chosen[pool.name] ?? first.current[pool.name]);
  const toggle = (pool) => setChosen({ ...chosen, [pool.name]: !isOpen(pool) });
  const allOpen = state.pools.every(isOpen);
  const setAll = (open) => setChosen(Object.fromEntries(state.pools.map((pool) => [pool.name, open])));
  return html`<section id="pools" class="pools" tabindex="-1" aria-label="Pools">
    <${FilterBar} filter=${filter} setFilter=${setFilter}>
      <span class="tools">
        <a class="ghost" href="/api/v1/backends?format=csv" download="backends.csv" title="All backends for a spreadsheet">CSV</a>
        ${state.pools.length > 1 && !narrow && html`<button type="button" class="ghost fold-all" onClick=${() => setAll(!allOpen)}>${allOpen ? 'Collapse all' : 'Expand all'}</button>`}
      </span>
    <//>
    ${listed.map(({ pool, rows }) => html`<${Pool} key=${pool.name} pool=${pool} rows=${rows} open=${isOpen(pool)} narrow=${narrow}
      onToggle=${() => toggle(pool)} onOpen=${openBackend} />`)}
    ${listed.length < shown.length && html`<button type="button" class="card more" onClick=${() => setEveryPool(true)}>Show all ${count(shown.length)} pools</button>`}
    ${state.pools.length === 0 && html`<p class="card hint">No pool is configured.</p>`}
    ${state.pools.length > 0 && shown.length === 0 && html`<p class="card hint" id="no-match">No backend matches the filter. <button type="button" class="ghost" onClick=${() => setFilter(ALL)}>Show all</button></p>`}
  </section>`;
}

/**
 * Pools without a usable backend, then pools with some unusable ones, then the rest; each group in configured order.
 */
function inNeedFirst(pools) {
  const need = ({ totals, backends }) => (totals.usable_count === 0 || totals.panic ? 0 : totals.usable_count < backends.length ? 1 : 2);
  return [...pools].sort((a, b) => need(a) - need(b) || a.index - b.index);
}

addPanel({ id: 'pools', name: 'Pools', order: 30, place: () => 'top', Panel: Pools });
