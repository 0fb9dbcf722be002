// The backends of a pool as a table.
import { html, useLayoutEffect, useRef, useState } from './vendor.js';
import { count } from './format.js';
import { COLUMNS, Row } from './row.js';

/** The number of rows that a longer table shows until "Show all" is clicked. */
const SHORT = 20;
const SHORT_ENOUGH = 25;
/** Tables with more rows than this render only the rows near the viewport. */
const WINDOW_FROM = 120;
const MARGIN_ROWS = 15;
/** The row height as in app.css, on phones and elsewhere. */
const PHONE = matchMedia('(max-width: 640px)');
const rowHeight = () => (PHONE.matches ? 58 : 45);
/** Addresses with more characters are broken into two lines. */
const MAX_LINE_CHARS = 42;

export function Table({ pool, rows, onOpen }) {
  const [order, setOrder] = useState({ column: null, descending: false });
  const [every, setEvery] = useState(false);
  const cut = !every && rows.length > SHORT_ENOUGH;
  const inOrder = sorted(rows, order, cut);
  const shown = cut ? inOrder.slice(0, SHORT) : inOrder;
  return html`<${Rows} pool=${pool} rows=${shown} total=${rows.length} order=${order} setOrder=${setOrder} onOpen=${onOpen} />
    ${rows.length > SHORT_ENOUGH && html`<button type="button" class="more" aria-expanded=${every} onClick=${() => setEvery(!every)}>
      ${cut ? `Show all ${count(rows.length)} backends` : `Show only ${SHORT} of ${count(rows.length)}`}</button>`}`;
}

function Rows({ pool, rows, total, order, setOrder, onOpen }) {
  const body = useRef(null);
  const { first, last } = useWindow(body, rows.length);
  const longest = Math.max(8, ...pool.backends.map((backend) => backend.addr.length));
  const spacer = (number) => number > 0 && html`<tr class="spacer" aria-hidden="true"><td style=${{ height: `${number * rowHeight()}px` }}></td></tr>`;
  return html`<div class=${`scroll${longest > 24 ? ' long' : ''}`} tabindex="0" role="region" aria-label=${`Backends of ${pool.name}`}>
    <table role="table" aria-rowcount=${total + 1} style=${{ '--address': `${Math.min(longest, MAX_LINE_CHARS)}ch` }}>
      <caption class="unseen">Backends of pool ${pool.name}</caption>
      <thead role="rowgroup"><tr role="row" aria-rowindex="1">${COLUMNS.map((column) => html`<${Heading} key=${column.id} column=${column} order=${order} setOrder=${setOrder} />`)}</tr></thead>
      <tbody role="rowgroup" ref=${body}>
        ${spacer(first)}
        ${rows.slice(first, last).map((backend, i) => html`<${Row} key=${backend.key} backend=${backend} index=${first + i} onOpen=${onOpen} />`)}
        ${spacer(rows.length - last)}
      </tbody>
    </table>
  </div>`;
}

function Heading({ column, order, setOrder }) {
  const sortedBy = order.column === column.id;
  const direction = sortedBy ? (order.descending ? 'descending' : 'ascending') : 'none';
  // Numbers are first sorted from the largest; a third click restores the configured order.
  const click = () => {
    const firstDescending = Boolean(column.number);
    if (!sortedBy) setOrder({ column: column.id, descending: firstDescending });
    else if (order.descending === firstDescending) setOrder({ column: column.id, descending: !firstDescending });
    else setOrder({ column: null, descending: false });
  };
  return html`<th scope="col" role="columnheader" aria-sort=${direction} class=${`${column.number ? 'number' : ''} col-${column.id}`}>
    <button type="button" onClick=${click} title=${column.hint}>${column.name}<i class="arrow" aria-hidden="true"></i></button>
  </th>`;
}

/** A shortened table is sorted by state, because the configured order could hide unhealthy backends. */
function sorted(rows, order, cut) {
  const column = COLUMNS.find((candidate) => candidate.id === (order.column ?? (cut ? 'state' : null)));
  if (!column) return rows;
  const sign = order.descending ? -1 : 1;
  return rows.map((row) => ({ row, value: column.sort(row) }))
    .sort((a, b) => sign * (typeof a.value === 'string' ? a.value.localeCompare(b.value, 'en', { numeric: true }) : a.value - b.value))
    .map((entry) => entry.row);
}

/** Returns the range of rows near the viewport; follows scrolling. */
function useWindow(body, length) {
  const [range, setRange] = useState({ first: 0, last: WINDOW_FROM });
  const long = length > WINDOW_FROM;
  useLayoutEffect(() => {
    if (!long) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = body.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(-top / rowHeight()) - MARGIN_ROWS);
      const last = Math.min(length, Math.ceil((innerHeight - top) / rowHeight()) + MARGIN_ROWS);
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
