// The DNS forwarder: current results, history, upstream resolvers, rule lists and queries.
import { html } from './vendor.js';
import { revision, state } from './store.js';
import { bytes, count, percent, rate } from './format.js';
import { Figure } from './overview.js';
import { History } from './history.js';
import { Filtering } from './filtering.js';
import { Flush } from './flush.js';
import { Queries } from './queries.js';
import { Upstreams } from './upstreams.js';
import { addPanel } from './panels.js';

function Forwarding() {
  void revision.value;
  const { dns } = state;
  return html`<section class="card forwarding" id="forwarding" tabindex="-1" aria-labelledby="forwarding-title">
    <h2 id="forwarding-title">Forwarding <span class="meta">names outside the zones</span></h2>
    <${Now} dns=${dns} forwarded=${state.dnsForwarded} />
    <${History} />
    <${Flush} cache=${dns.cache} />
    <${Upstreams} />
    <${Filtering} blocked=${dns.blocked_by_list} />
    <${Queries} />
  </section>`;
}

/** Shows the results of the queries of the last seconds. */
function Now({ dns, forwarded }) {
  const { grown } = forwarded;
  const all = grown.queries;
  const of = (...kinds) => kinds.reduce((sum, kind) => sum + (grown[kind] ?? 0), 0);
  const share = (part, whole) => (whole > 0 ? part / whole : null);
  const cached = of('hit', 'stale');
  const failed = of('failed', 'servfail', 'overloaded');
  const failedEver = ['failed', 'servfail', 'overloaded'].reduce((sum, kind) => sum + (dns.forwarded[kind] ?? 0), 0);
  return html`<dl class="figures">
    <${Figure} name="From the cache" value=${percent(share(cached, cached + of('miss')))} note=${of('stale') > 0 ? `${count(of('stale'))} stale answers` : 'of queries not blocked'} />
    <${Figure} name="Blocked" value=${percent(share(of('blocked'), all))} note=${`${count(dns.forwarded.blocked)} total`} />
    <${Figure} name="Failed" value=${percent(share(failed, all))} note=${`${count(failedEver)} total`} bad=${share(failed, all) >= 0.01} />
    <${Figure} name="Waiting" value=${count(dns.waiting)} note="for a resolver" />
    <${Figure} name="Cached" value=${count(dns.cache.entries)} note=${dns.cache.max_bytes > 0 ? `${bytes(dns.cache.bytes)} of ${bytes(dns.cache.max_bytes)}` : 'no cache'} />
    <${Figure} name="DNS" value=${rate(dns.qps)} unit="/s" note="including zones" />
  </dl>`;
}

addPanel({ id: 'forwarding', name: 'Forwarding', order: 20, place: () => state.dns?.forwards && 'top', Panel: Forwarding });
