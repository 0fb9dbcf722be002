// Where HTTP clients come in, and what they were answered.
import { html } from './vendor.js';
import { state } from './store.js';
import { bytes, count, rate } from './format.js';

export function Listeners() {
  return html`<section class="card listeners" id="listeners" tabindex="-1" aria-labelledby="listeners-title">
    <h2 id="listeners-title">Listeners</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Listeners"><table>
      <caption class="unseen">Listeners</caption>
      <thead><tr><th scope="col">Listener</th><th scope="col" class="number">Req/s</th><th scope="col" class="number from-s">Requests</th>
        <th scope="col" class="number">4xx</th><th scope="col" class="number">5xx</th><th scope="col" class="number">Open</th>
        <th scope="col" class="number from-s">In</th><th scope="col" class="number from-s">Out</th></tr></thead>
      <tbody>${state.listeners.map((l) => html`<tr key=${l.name}>
        <th scope="row">${l.addr}${l.name !== l.addr && html`<small>${l.name}</small>`}</th><td class="number">${rate(l.rps)}</td><td class="number from-s">${count(l.requests)}</td>
        <td class="number">${count(l.responses['4xx'])}</td><td class="number">${count(l.responses['5xx'])}</td><td class="number">${count(l.connections_open)}</td>
        <td class="number from-s">${bytes(l.bytes_received)}</td><td class="number from-s">${bytes(l.bytes_sent)}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}
