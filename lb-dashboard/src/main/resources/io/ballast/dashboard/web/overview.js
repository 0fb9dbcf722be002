// The strip of figures above everything, and the chart.
import { html } from './vendor.js';
import { state } from './store.js';
import { bytes, count, ms, percent, rate } from './format.js';
import { Chart } from './chart.js';

export function Overview({ revision }) {
  const { overall, dns, listeners, process } = state;
  const connections = listeners.reduce((sum, listener) => sum + listener.connections_open, 0);
  return html`<section class="card overview" aria-label="Overview">
    <dl class="figures">
      <${Figure} name="Requests" value=${rate(overall.rps)} unit="/s" note=${`${count(overall.total_req_count)} in all`} />
      <${Figure} name="Errors" value=${percent(overall.error_share)} note=${`${rate(overall.errors_per_second)}/s`} bad=${overall.error_share >= 0.01} />
      <${Figure} name="p50" value=${ms(overall.recent_p50_ms)} note="response time" />
      <${Figure} name="p99" value=${ms(overall.recent_p99_ms)} note="response time" />
      <${Figure} name="In flight" value=${count(overall.in_flight)} note="exchanges" />
      ${listeners.length > 0 && html`<${Figure} name="Connections" value=${count(connections)} note="clients" />`}
      ${dns && html`<${Figure} name="DNS" value=${rate(dns.qps)} unit="/s" note=${`${count(dns.queries)} in all`} />`}
      <${Figure} name="Memory" value=${bytes(process.rss_bytes || process.heap_bytes)} note=${`${process.threads} threads`} />
    </dl>
    <${Chart} revision=${revision} />
  </section>`;
}

function Figure({ name, value, unit, note, bad }) {
  return html`<div class=${bad ? 'figure is-bad' : 'figure'}>
    <dt>${name}</dt><dd><b>${value}</b>${unit && html`<span class="unit">${unit}</span>`}<small>${note}</small></dd>
  </div>`;
}
