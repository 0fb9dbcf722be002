// One backend as a table row.
import { html } from './vendor.js';
import { downtime, state } from './store.js';
import { count, duration, fullTime, localTimes, ms, percent, rate } from './format.js';
import { Sparkline } from './sparkline.js';

const ICONS = {
  up: html`<circle cx="8" cy="8" r="7" class="solid" /><path d="M4.6 8.3l2.3 2.3 4.6-5" class="cut" />`,
  down: html`<path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" class="solid" /><path d="M5.2 5.2l5.6 5.6m0-5.6l-5.6 5.6" class="cut" />`,
  draining: html`<path d="M8 1l7.2 13H.8z" class="solid" /><path d="M8 5.5v4M8 11.7v.3" class="cut" />`,
  ejected: html`<path d="M8 1.5L14 9H2z" class="solid" /><path d="M2 11h12v3H2z" class="solid" />`,
  maintenance: html`<path d="M1 8l7-7 7 7-7 7z" class="solid" /><path d="M5 8h6" class="cut" />`,
  unknown: html`<circle cx="8" cy="8" r="6.2" class="outline" /><path d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2M8 11.4v.2" class="outline" />`,
};

/** The columns in order, with name and sort key. app.css defines the width from which each is shown. */
export const COLUMNS = [
  { id: 'addr', name: 'Backend', sort: (b) => b.addr },
  { id: 'state', name: 'State', sort: (b) => STATE_ORDER[b.health.state] ?? 9 },
  { id: 'down', name: 'Outages', sort: (b) => downtime(b), number: true, hint: 'Number of outages since the start, and total downtime' },
  { id: 'weight', name: 'Weight', sort: (b) => b.weight, number: true },
  { id: 'share', name: 'Share', sort: (b) => b.share, number: true, hint: 'Part of the pool’s requests, last 10 to 20 s' },
  { id: 'requests', name: 'Requests', sort: (b) => b.total_req_count, number: true, hint: 'Requests sent to the backend since the start' },
  { id: 'rps', name: 'Req/s', sort: (b) => b.rps, number: true, hint: 'Requests in the last second; the line shows the last minute' },
  { id: 'avg', name: 'Avg', sort: (b) => b.recent_avg_ms ?? b.avg_res_time, number: true, hint: 'Average response time, last 10 to 20 s; since the start when grey' },
  { id: 'p99', name: 'p99', sort: (b) => b.recent_p99_ms ?? b.p99_ms, number: true, hint: '99th percentile of response time, last 10 to 20 s; since the start when grey' },
  { id: 'inflight', name: 'In flight', sort: (b) => b.in_flight, number: true },
  { id: 'errors', name: 'Errors', sort: (b) => b.errors, number: true, hint: 'Failures and 5xx responses since the start' },
  { id: 'check', name: 'Last check', sort: (b) => b.health.last_check?.took_ms ?? -1 },
];

const STATE_ORDER = { down: 0, ejected: 1, maintenance: 2, draining: 3, unknown: 4, up: 5 };

export function Row({ backend, index, onOpen }) {
  const { health } = backend;
  const check = health.last_check;
  return html`<tr role="row" class=${`backend is-${health.state}`} data-backend=${backend.key} data-state=${health.state} aria-rowindex=${index + 2}>
    <th scope="row" role="rowheader" class="col-addr"><button type="button" class="link" onClick=${() => onOpen(backend)} title=${`${backend.addr}: details`}>${backend.addr}</button>${backend.backup && html`<span class="tag" title="used only while no other backend can serve">backup</span>`}</th>
    <td role="cell" class="col-state">
      <span class="state-name"><svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">${ICONS[health.state] ?? ICONS.unknown}</svg>${health.state}</span>
      <small title=${`${localTimes(health.reason)}, since ${fullTime(backend.since)}, by ${health.origin}`}>${stateNote(backend)}</small>
    </td>
    <td role="cell" class="number col-down">${health.times_down > 0 ? html`${count(health.times_down)}<small>${duration(downtime(backend))}</small>` : '–'}</td>
    <td role="cell" class="number col-weight">${backend.weight === backend.fileWeight ? backend.weight : html`<b title=${`${backend.fileWeight} in the file`}>${backend.weight}</b>`}${backend.slow_start_share < 1 && html`<small class="check-warn" title="slow start: current share of its weight">${percent(backend.slow_start_share)}</small>`}</td>
    <td role="cell" class="number col-share"><span>${percent(backend.share)}</span><span class="bar" aria-hidden="true"><i style=${{ width: `${(backend.share * 100).toFixed(1)}%` }}></i></span></td>
    <td role="cell" class="number col-requests">${count(backend.total_req_count)}</td>
    <td role="cell" class="number col-rps"><${Sparkline} values=${backend.spark} /><span>${rate(backend.rps)}</span></td>
    <${Latency} id="avg" recent=${backend.recent_avg_ms} total=${backend.avg_res_time} requests=${backend.total_req_count} />
    <${Latency} id="p99" recent=${backend.recent_p99_ms} total=${backend.p99_ms} requests=${backend.total_req_count} />
    <td role="cell" class="number col-inflight">${count(backend.in_flight)}</td>
    <td role="cell" class=${`number col-errors${backend.recent_errors > 0 ? ' hot' : ''}`}>${count(backend.errors)}</td>
    <td role="cell" class="col-check">${check ? html`<span class=${check.ok ? 'check-ok' : 'check-bad'} title=${check.text}>${check.text}</span><small>${check.ok ? 'ok' : 'failed'} in ${ms(check.took_ms)}</small>` : html`<small>none yet</small>`}</td>
  </tr>`;
}

function stateNote(backend) {
  const since = duration((state.time - backend.since) / 1000);
  const note = backend.health.state === 'up' ? `for ${since}` : `${since} · ${localTimes(backend.health.reason)}`;
  return `${note}${overrideNote(backend.health)}`;
}

/** Describes the override of external sources that is in effect, otherwise the first one; empty if there is none. */
function overrideNote({ overrides }) {
  if (!overrides?.length) return '';
  const inEffect = overrides.find((each) => each.decides_state) ?? overrides.find((each) => each.decides_weight);
  const shown = inEffect ?? overrides[0];
  const left = duration((Date.parse(shown.expires) - state.time) / 1000);
  const more = overrides.length > 1 ? `, and ${overrides.length - 1} more` : '';
  return ` · override by ${shown.source}${inEffect ? '' : ' (not in effect)'}, ${left} left${more}`;
}

/** Shows the recent value, otherwise the value since the start. */
function Latency({ id, recent, total, requests }) {
  if (recent !== null) return html`<td role="cell" class=${`number col-${id}`}>${ms(recent)}</td>`;
  return html`<td role="cell" class=${`number old col-${id}`} title="since the start; no recent response">${ms(requests > 0 ? total : null)}</td>`;
}
