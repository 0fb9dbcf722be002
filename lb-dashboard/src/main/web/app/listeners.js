// The listeners with their requests and errors.
import { html } from './vendor.js';
import { state } from './store.js';
import { bytes, count, rate } from './format.js';
import { breakable } from './names.js';
import { Sparkline } from './sparkline.js';
import { addPanel } from './panels.js';

/** The time range of the sparklines; it must be the same as on the server. */
const ERROR_SECONDS = 300;

function Listeners() {
  return html`<section class="card listeners" id="listeners" tabindex="-1" aria-labelledby="listeners-title">
    <h2 id="listeners-title">Listeners</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Listeners"><table>
      <caption class="unseen">Listeners</caption>
      <thead><tr><th scope="col">Listener</th><th scope="col" class="number">Req/s</th><th scope="col" class="number from-s">Requests</th>
        <th scope="col" class="number">4xx</th><th scope="col" class="number">5xx</th><th scope="col" class="number">Open</th>
        <th scope="col" class="number from-s">In</th><th scope="col" class="number from-s">Out</th></tr></thead>
      <tbody>${state.listeners.map((l) => html`<tr key=${l.name}>
        <th scope="row">${breakable(l.addr)}${l.name !== l.addr && html`<small>${breakable(l.name)}</small>`}</th><td class="number">${rate(l.rps)}</td><td class="number from-s">${count(l.requests)}</td>
        <${Errors} listener=${l} kind="4xx" /><${Errors} listener=${l} kind="5xx" /><td class="number">${count(l.connections_open)}</td>
        <td class="number from-s">${bytes(l.bytes_received)}</td><td class="number from-s">${bytes(l.bytes_sent)}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}

/** The number of errors, with a sparkline if there were any in the last minutes. */
function Errors({ listener, kind }) {
  const values = state.listenerErrors.get(listener.name)?.[kind] ?? [];
  const now = rate(listener[`${kind}_per_second`]);
  return html`<td class="number errors" title=${`${now}/s now; the line shows the last five minutes`}>
    ${values.some((value) => value > 0) && html`<${Sparkline} values=${values} seconds=${ERROR_SECONDS} look="err" />`}<span>${count(listener.responses[kind])}</span></td>`;
}

addPanel({ id: 'listeners', name: 'Listeners', order: 20, place: () => state.listeners.length > 0 && 'left', Panel: Listeners });
