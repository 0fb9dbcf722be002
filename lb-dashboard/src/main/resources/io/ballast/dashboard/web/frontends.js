// Where clients come in: listeners and DNS.
import { html } from './vendor.js';
import { state } from './store.js';
import { bytes, count, rate } from './format.js';

export function Frontends() {
  const { listeners, dns } = state;
  if (listeners.length === 0 && !dns) return null;
  return html`<section class="card frontends" aria-labelledby="frontends-title">
    <h2 id="frontends-title">Frontends</h2>
    ${listeners.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Listeners"><table>
      <caption class="unseen">Listeners</caption>
      <thead><tr><th scope="col">Listener</th><th scope="col" class="number">Req/s</th><th scope="col" class="number">Requests</th>
        <th scope="col" class="number">4xx</th><th scope="col" class="number">5xx</th><th scope="col" class="number">Open</th>
        <th scope="col" class="number from-s">In</th><th scope="col" class="number from-s">Out</th></tr></thead>
      <tbody>${listeners.map((l) => html`<tr key=${l.name}>
        <th scope="row">${l.addr}${l.name !== l.addr && html`<small>${l.name}</small>`}</th><td class="number">${rate(l.rps)}</td><td class="number">${count(l.requests)}</td>
        <td class="number">${count(l.responses['4xx'])}</td><td class="number">${count(l.responses['5xx'])}</td><td class="number">${count(l.connections_open)}</td>
        <td class="number from-s">${bytes(l.bytes_received)}</td><td class="number from-s">${bytes(l.bytes_sent)}</td></tr>`)}</tbody>
    </table></div>`}
    ${dns && html`<${Dns} dns=${dns} />`}
  </section>`;
}

function Dns({ dns }) {
  const list = (entries) => Object.entries(entries).filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1]).map(([name, value]) => html`<li><b>${name}</b> ${count(value)}</li>`);
  return html`<div class="dns">
    <h3>DNS <small>${dns.addrs.join(', ')}</small></h3>
    <dl><dt>Queries</dt><dd><ul class="tags"><li><b>${rate(dns.qps)}</b>/s</li>${list(dns.queries_by_type)}</ul></dd>
      <dt>Answers</dt><dd><ul class="tags">${list(dns.responses_by_code)}</ul></dd>
    </dl>
  </div>`;
}
