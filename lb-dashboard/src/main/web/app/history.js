// The history of the forwarder: results of queries, top clients and top names.
import { html, useState } from './vendor.js';
import { remember, remembered } from './address.js';
import { count, fullTime, ms, percent, rate } from './format.js';
import { Plot } from './plot.js';
import { usePolled } from './polled.js';

const REFRESH_MS = 15000;
const RANGES = [1, 6, 24];
const USUAL_RANGE = 1;

/** The series of the chart; each one is a sum of outcomes. */
const SERIES = [
  { name: 'from the cache', look: 'rps', of: ['hit', 'stale'] },
  { name: 'from resolvers', look: 'p99', of: ['miss'] },
  { name: 'blocked', look: 'warn', of: ['blocked'] },
  { name: 'failed', look: 'err', of: ['failed'] },
];

export function History() {
  const [hours, setHours] = useState(rangeOfAddress);
  const choose = (range) => {
    setHours(range);
    remember('hours', range === USUAL_RANGE ? null : String(range));
  };
  const { value: history, problem } = usePolled(`/api/v1/dns/history?hours=${hours}`, REFRESH_MS);
  const ranges = html`<span class="ranges" role="group" aria-label="Time range">${RANGES.map((range) => html`<button type="button" class="ghost" aria-pressed=${range === hours}
    onClick=${() => choose(range)}>${range} h</button>`)}</span>`;
  if (history?.logged === false) {
    return html`<p class="hint" data-summary>No history: the query log is off (dns.query_log).</p>`;
  }
  return html`<figure class="chart">
      <figcaption>${SERIES.map(({ name, look }) => html`<span class="key"><i class=${`swatch ${look}`}></i>${name}/s</span>`)}${ranges}</figcaption>
      ${history && html`<${Plot} series=${SERIES} data=${dataOf(history)} revision=${history} seconds=${false} label=${`Over the last ${hours} h: ${summary(history)}`} />`}
    </figure>
    ${problem && html`<p class="hint check-bad" role="alert">${problem}</p>`}
    ${history && html`<p class="hint" data-summary>${summary(history)}.</p>
      <div class="tops">
        <${Top} title="Top names" top=${history.top_names} />
        <${Top} title="Top clients" top=${history.top_clients} none="No queries, or clients are not logged." />
        <${Top} title="Top blocked" top=${history.top_blocked} none="No query was blocked." />
      </div>`}`;
}

function rangeOfAddress() {
  const range = Number(remembered('hours'));
  return RANGES.includes(range) ? range : USUAL_RANGE;
}

function summary({ since, queries, sample, dropped, hit_share: hits, blocked_share: blocked, hits: cached, misses, week_before: before }) {
  const past = before?.queries > 0 ? ` (one week earlier: ${count(before.queries)}, ${percent(before.hit_share)} and ${percent(before.blocked_share)})` : '';
  return `${count(queries)} queries${sample > 1 ? ` (sampled: 1 of ${count(sample)})` : ''} since ${fullTime(new Date(since))}, ${percent(hits)} from the cache, ${percent(blocked)} blocked${past}; `
    + `p95 ${ms(cached.p95_ms)} from the cache, ${ms(misses.p95_ms)} from resolvers${dropped > 0 ? `; ${count(dropped)} were dropped since the start` : ''}`;
}

/** Queries per second in each step; the last step is not complete. */
function dataOf({ points, step_seconds: step }) {
  const last = points.time.length - 1;
  const lasted = (index) => (index === last ? Math.max(1, Math.min(step, (Date.now() - points.time[index]) / 1000)) : step);
  const times = points.time.map((time) => time / 1000);
  return [times, ...SERIES.map(({ of }) => times.map((_, index) => of.reduce((sum, outcome) => sum + points[outcome][index], 0) / lasted(index)))];
}

function Top({ title, top, none = 'No queries.' }) {
  const most = top.items[0]?.count ?? 1;
  return html`<section class="top-list" aria-label=${title}>
    <h3>${title}${top.error > 0 && html` <small title="Approximate counts: rare names are not tracked">each up to ${count(top.error)} more</small>`}</h3>
    ${top.items.length === 0 ? html`<p class="hint">${none}</p>` : html`<ol>${top.items.map(({ name, count: times }) => html`<li key=${name}>
      <span class="address">${name}</span><b>${count(times)}</b><progress aria-hidden="true" max=${most} value=${times}></progress></li>`)}</ol>`}
  </section>`;
}
