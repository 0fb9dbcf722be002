// The upstream resolvers, the slowest first.
import { html } from './vendor.js';
import { count, ms, percent, rate } from './format.js';
import { usePolled } from './polled.js';

const REFRESH_MS = 5000;
const LISTED = 20;
/** A resolver is slow if it takes several times as long as the fastest resolver, and more than some milliseconds. */
const SLOW_FACTOR = 5;
const SLOW_MS = 50;

export function Upstreams() {
  const { value, problem } = usePolled('/api/v1/dns/upstreams', REFRESH_MS);
  const all = value?.upstreams ?? [];
  const time = (upstream) => upstream.recent.mean_ms ?? upstream.mean_ms ?? -1;
  const answered = all.map(time).filter((mean) => mean >= 0);
  const limit = Math.max(SLOW_MS, SLOW_FACTOR * Math.min(...answered));
  const shown = [...all].sort((a, b) => time(b) - time(a)).slice(0, LISTED);
  return html`<div class="part">
    <h3>Resolvers${all.length > LISTED && ` (the ${LISTED} slowest of ${count(all.length)})`}</h3>
    ${problem && html`<p class="check-bad" role="alert">${problem}</p>`}
    ${value && all.length === 0 && html`<p class="hint">No upstream pool has a backend.</p>`}
    ${shown.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Resolvers"><table class="upstreams">
      <caption class="unseen">Resolvers, the slowest first</caption>
      <thead><tr><th scope="col">Resolver</th><th scope="col">State</th><th scope="col" class="number">Queries/s</th><th scope="col" class="number from-s">Queries</th>
        <th scope="col" class="number">Failed</th><th scope="col" class="number">Mean</th><th scope="col" class="number">p95</th></tr></thead>
      <tbody>${shown.map((upstream) => html`<${Upstream} key=${`${upstream.pool}/${upstream.addr}`} upstream=${upstream} slow=${answered.length > 1 && time(upstream) > limit} />`)}</tbody>
    </table></div>`}
  </div>`;
}

function Upstream({ upstream, slow }) {
  const { recent } = upstream;
  const failing = recent.queries > 0 && recent.failures / recent.queries >= 0.05;
  return html`<tr class=${upstream.is_host_alive ? '' : 'is-bad'}>
    <th scope="row">${upstream.addr}<small>${upstream.pool}</small></th>
    <td title=${upstream.reason}>${upstream.state}${slow && html` <b class="check-warn">slow</b>`}</td>
    <td class="number">${rate(upstream.qps)}</td><td class="number from-s">${count(upstream.queries)}</td>
    <td class=${`number${failing ? ' hot' : ''}`} title=${`${percent(recent.queries > 0 ? recent.failures / recent.queries : null)} recently`}>${count(upstream.failures)}</td>
    <td class="number">${ms(recent.mean_ms ?? upstream.mean_ms)}</td><td class="number">${ms(recent.p95_ms ?? upstream.p95_ms)}</td>
  </tr>`;
}
