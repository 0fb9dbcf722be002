// One pool: its totals and the table of its backends.
import { html, useLayoutEffect, useRef, useState } from './vendor.js';
import { ms, percent, rate } from './format.js';
import { COLUMNS, Row } from './row.js';

/** Tables longer than this render only the rows near the screen. */
const WINDOW_FROM = 120;
const ROW_HEIGHT = 45;
const MARGIN_ROWS = 15;

export function Pool({ pool, shows, onOpen }) {
  const [order, setOrder] = useState({ column: null, descending: false });
  const rows = sorted(pool.backends.filter(shows), order);
  const { totals } = pool;
  const hurt = totals.usable_count < pool.backends.length;
  return html`<section class="card pool" aria-labelledby=${`pool-${pool.index}`}>
    <div class="pool-head">
      <h2 id=${`pool-${pool.index}`}>${pool.name}</h2>
      <span class=${`pill ${hurt ? 'bad' : 'good'}`}>${totals.usable_count} of ${pool.backends.length} in service</span>
      <span class="meta">${pool.strategy} · ${pool.check === 'none' ? 'not checked' : `${pool.check} check`}</span>
      <span class="meta totals">${rate(totals.rps)} req/s · p99 ${ms(totals.recent_p99_ms)} · errors ${percent(totals.error_share)} · ${totals.in_flight} in flight</span>
    </div>
    <${Table} pool=${pool} rows=${rows} order=${order} setOrder=${setOrder} onOpen=${onOpen} />
  </section>`;
}

function Table({ pool, rows, order, setOrder, onOpen }) {
  const body = useRef(null);
  const { first, last } = useWindow(body, rows.length);
  const spacer = (count) => count > 0 && html`<tr class="spacer" aria-hidden="true"><td colspan=${COLUMNS.length} style=${{ height: `${count * ROW_HEIGHT}px` }}></td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${`Backends of ${pool.name}`}>
    <table aria-rowcount=${rows.length + 1}>
      <caption class="unseen">Backends of pool ${pool.name}</caption>
      <thead><tr aria-rowindex="1">${COLUMNS.map((column) => html`<${Heading} key=${column.id} column=${column} order=${order} setOrder=${setOrder} />`)}</tr></thead>
      <tbody ref=${body}>
        ${spacer(first)}
        ${rows.slice(first, last).map((backend, i) => html`<${Row} key=${backend.key} backend=${backend} index=${first + i} onOpen=${onOpen} />`)}
        ${spacer(rows.length - last)}
        ${rows.length === 0 && html`<tr class="empty"><td colspan=${COLUMNS.length}>No backend of this pool matches the filter.</td></tr>`}
      </tbody>
    </table>
  </div>`;
}

function Heading({ column, order, setOrder }) {
  const sortedBy = order.column === column.id;
  const direction = sortedBy ? (order.descending ? 'descending' : 'ascending') : 'none';
  // Numbers start with the largest; a third click goes back to the order of the configuration.
  const click = () => {
    const firstDescending = Boolean(column.number);
    if (!sortedBy) setOrder({ column: column.id, descending: firstDescending });
    else if (order.descending === firstDescending) setOrder({ column: column.id, descending: !firstDescending });
    else setOrder({ column: null, descending: false });
  };
  return html`<th scope="col" aria-sort=${direction} class=${`${column.number ? 'number' : ''} ${column.from ? `from-${column.from}` : ''} col-${column.id}`}>
    <button type="button" onClick=${click} title=${column.hint}>${column.name}<i class="arrow" aria-hidden="true"></i></button>
  </th>`;
}

function sorted(rows, order) {
  const column = COLUMNS.find((candidate) => candidate.id === order.column);
  if (!column) return rows;
  const sign = order.descending ? -1 : 1;
  return rows.map((row) => ({ row, value: column.sort(row) }))
    .sort((a, b) => sign * (typeof a.value === 'string' ? a.value.localeCompare(b.value, 'en', { numeric: true }) : a.value - b.value))
    .map((entry) => entry.row);
}

/** The range of rows near the screen, followed while the page scrolls. */
function useWindow(body, length) {
  const [range, setRange] = useState({ first: 0, last: WINDOW_FROM });
  const long = length > WINDOW_FROM;
  useLayoutEffect(() => {
    if (!long) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = body.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(-top / ROW_HEIGHT) - MARGIN_ROWS);
      const last = Math.min(length, Math.ceil((innerHeight - top) / ROW_HEIGHT) + MARGIN_ROWS);
      setRange((old) => (old.first === first && old.last === last ? old : { first, last: Math.max(first, last) }));
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', schedule, { passive: true });
    addEventListener('resize', schedule);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', schedule);
      removeEventListener('resize', schedule);
    };
  }, [long, length]);
  if (!long) return { first: 0, last: length };
  return { first: Math.min(range.first, length), last: Math.min(range.last, length) };
}
