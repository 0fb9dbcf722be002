// One pool: a summary line, and the table of its backends when it is expanded.
import { html } from './vendor.js';
import { brief } from './down.js';
import { count, fullTime, ms, percent, rate } from './format.js';
import { PoolChanges } from './changes.js';
import { PoolCommands } from './commands.js';
import { Table } from './table.js';

const NAMED = 3;

export function Pool({ pool, rows, open, narrow, onToggle, onOpen }) {
  const { totals, index } = pool;
  const { requests } = totals;
  const quiet = requests.rps === 0 && requests.error_share === 0;
  return html`<section class=${`card pool is-${level(pool)}`} aria-labelledby=${`pool-${index}`} data-pool=${pool.name}>
    <div class="pool-head">
      <h2 id=${`pool-${index}`}><button type="button" class="fold" aria-expanded=${open} disabled=${narrow} onClick=${onToggle}>
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M4 2l4.5 4L4 10" class="outline" /></svg>${pool.name}</button></h2>
      <span class=${`pill ${level(pool)}`} title=${underMaintenance(pool)}>${inService(pool)}</span>
      <span class="meta kind">${pool.strategy} · ${pool.check === 'none' ? 'not checked' : `${pool.check} check`}</span>
      <dl class="sums">
        ${(totals.queue.size > 0 || totals.queue.waiting > 0) && html`<${Sum} name="waiting" value=${count(totals.queue.waiting)} bad=${totals.queue.waiting > 0}
          hint=${`Requests that wait for a backend; maximum since the start: ${count(totals.queue.max_waiting)}; limit: ${count(totals.queue.size)}`} note=${`max ${count(totals.queue.max_waiting)}`} />`}
        <${Sum} name="req/s" value=${rate(requests.rps)} />
        <${Sum} name="p99" value=${ms(totals.recent_p99_ms)} />
        <${Sum} name="errors" value=${quiet ? '–' : percent(requests.error_share)} bad=${requests.error_share >= 0.01} />
        <${Sum} name="in flight" value=${count(totals.in_flight)} />
      </dl>
      ${!open && html`<${DownLine} pool=${pool} />`}
    </div>
    ${open && html`<${PoolCommands} name=${pool.name} underMaintenance=${Boolean(totals.maintenance)} />
      <${PoolChanges} name=${pool.name} />`}
    ${open && html`<${Table} pool=${pool} rows=${rows} onOpen=${onOpen} />`}
  </section>`;
}

function level({ totals, backends }) {
  if (totals.maintenance) return 'warn';
  if (totals.panic) return 'bad';
  if (totals.usable_count === backends.length) return 'good';
  return totals.usable_count === 0 ? 'bad' : 'warn';
}

function underMaintenance({ totals: { maintenance } }) {
  if (!maintenance) return null;
  const { who, why, since, until } = maintenance;
  return `by ${who}${why && `: ${why}`}, since ${fullTime(new Date(since))}${until ? `, until ${fullTime(new Date(until))}` : ''}`;
}

function inService({ totals, backends }) {
  if (totals.maintenance) return 'under maintenance';
  if (totals.panic) return 'panic: requests are sent to all backends';
  return totals.usable_count === 0 ? `none of ${count(backends.length)} in service` : `${count(totals.usable_count)} of ${count(backends.length)} in service`;
}

function Sum({ name, value, bad, hint, note }) {
  return html`<div class=${bad ? 'is-bad' : ''} title=${hint}><dt>${name}${note && ` (${note})`}</dt><dd>${value}</dd></div>`;
}

/** The down backends and their reasons, as far as they fit into a line. */
function DownLine({ pool }) {
  const down = pool.backends.filter((backend) => backend.health.state === 'down');
  if (down.length === 0) return null;
  return html`<p class="down-line down">${brief(down, NAMED, (backend) => backend.addr, () => '')}</p>`;
}
