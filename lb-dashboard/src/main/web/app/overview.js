// The key figures and the chart at the top.
import { html, useState } from './vendor.js';
import { remember, remembered } from './address.js';
import { state } from './store.js';
import { bytes, count, ms, percent, rate } from './format.js';
import { losses } from './status.js';
import { Chart } from './chart.js';

export function Overview({ revision }) {
  const { dns, listeners, process } = state;
  const [chosen, setChosen] = useState(() => (remembered('chart') === 'dns' ? 'dns' : 'http'));
  const choose = (one) => {
    setChosen(one);
    remember('chart', one === 'dns' ? one : null);
  };
  const both = dns && listeners.length > 0;
  const kind = both ? chosen : dns ? 'dns' : 'http';
  return html`<section class="card overview" aria-label="Overview">
    <dl class="figures">
      ${(listeners.length > 0 || !dns) && html`<${HttpFigures} />`}
      ${dns && html`<${DnsFigures} dns=${dns} brief=${both} />`}
      <${InService} />
      <${Figure} name="Memory" value=${bytes(process.rss_bytes || process.heap_bytes)} note=${`${process.threads} threads`} />
    </dl>
    <${Chart} key=${kind} kind=${kind} revision=${revision} choice=${both && html`<${Choice} kind=${kind} setKind=${choose} />`} />
  </section>`;
}

function HttpFigures() {
  const { overall, listeners } = state;
  const connections = listeners.reduce((sum, listener) => sum + listener.connections_open, 0);
  const share = shares(state.answered);
  // Without requests, the error share is unknown; 0 % would suggest that there are no problems.
  const quiet = overall.rps === 0 && overall.error_share === 0;
  return html`<${Figure} name="Requests" value=${rate(overall.rps)} unit="/s" note=${`${count(overall.total_req_count)} total`} />
    <${Figure} name="Errors" value=${quiet ? '–' : percent(overall.error_share)} note=${`${rate(overall.errors_per_second)}/s to clients`} bad=${overall.error_share >= 0.01} />
    <${Figure} name="Answered" value=${percent(share('2xx'))} unit=" 2xx" note=${`4xx ${percent(share('4xx'))} · 5xx ${percent(share('5xx'))}`} />
    <${Figure} name="p50" value=${ms(overall.recent_p50_ms)} note="response time" />
    <${Figure} name="p99" value=${ms(overall.recent_p99_ms)} note="response time" />
    <${Figure} name="In flight" value=${count(overall.in_flight)} note="requests" />
    ${listeners.length > 0 && html`<${Figure} name="Connections" value=${count(connections)} note="clients" />`}`;
}

function DnsFigures({ dns, brief }) {
  const share = shares(state.dnsAnswered);
  const failed = share('SERVFAIL') ?? 0;
  if (brief) {
    return html`<${Figure} name="DNS" value=${rate(dns.qps)} unit="/s" bad=${failed >= 0.01}
      note=${failed > 0 ? `${percent(failed)} SERVFAIL` : `${count(dns.queries)} total`} />`;
  }
  return html`<${Figure} name="Queries" value=${rate(dns.qps)} unit="/s" note=${`${count(dns.queries)} total`} />
    <${Figure} name="Failures" value=${percent(share('SERVFAIL'))} note="SERVFAIL" bad=${failed >= 0.01} />
    <${Figure} name="Answered" value=${percent(share('NOERROR'))} note="NOERROR" />
    <${Figure} name="No such name" value=${percent(share('NXDOMAIN'))} note="NXDOMAIN" />
    <${Figure} name="Refused" value=${percent(share('REFUSED'))} note="REFUSED" />`;
}

/** Returns the share of each kind of response in the last seconds; null without responses. */
function shares({ grown, all }) {
  return (kind) => (all > 0 ? (grown[kind] ?? 0) / all : null);
}

function InService() {
  const { usable, total } = losses();
  return total > 0 && html`<${Figure} name="In service" value=${count(usable)} unit=${` of ${count(total)}`} note="backends" bad=${usable < total} />`;
}

/** A number with its name above and a note below. */
export function Figure({ name, value, unit, note, bad }) {
  return html`<div class=${bad ? 'figure is-bad' : 'figure'}>
    <dt>${name}</dt><dd><b>${value}</b>${unit && html`<span class="unit">${unit}</span>`}<small>${note}</small></dd>
  </div>`;
}

function Choice({ kind, setKind }) {
  return html`<span class="choice" role="group" aria-label="Chart">
    ${['http', 'dns'].map((one) => html`<button type="button" class="ghost" aria-pressed=${one === kind} onClick=${() => setKind(one)}>${one.toUpperCase()}</button>`)}
  </span>`;
}
