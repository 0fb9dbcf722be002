// The certificates that are ordered by ACME, with their issuers and errors.
import { html } from './vendor.js';
import { state } from './store.js';
import { breakable } from './names.js';
import { count, fullTime, timeLeft } from './format.js';
import { usePolled } from './polled.js';

const LIMIT = 20;
const REFRESH_MS = 15000;

/** Shows certificates with an error first, then by the time of the next order; nothing if ACME is not configured. */
export function Ordered() {
  const { value } = usePolled(`/api/v1/certificates/ordered?limit=${LIMIT}`, REFRESH_MS, state.events[0]?.id);
  if (!value?.total) return null;
  const rest = value.total - value.certificates.length;
  return html`<h3 id="ordered-title">Ordered by ACME <span class="meta">${count(value.total)}${value.on_demand > 0 && `, ${count(value.on_demand)} on demand`}</span></h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Certificates ordered by ACME"><table class="ordered">
      <caption class="unseen">Certificates ordered by ACME; certificates with an error come first</caption>
      <thead><tr><th scope="col">Name</th><th scope="col">Issued by</th><th scope="col" class="number">Next order in</th></tr></thead>
      <tbody>${value.certificates.map((each) => html`<${Order} key=${each.name} certificate=${each} />`)}</tbody>
    </table></div>
    ${rest > 0 && html`<p class="hint rest">And ${count(rest)} more; <code>lb acme list</code> shows all of them.</p>`}`;
}

function Order({ certificate }) {
  const next = new Date(certificate.next_order);
  const seconds = (next - state.time) / 1000;
  return html`<tr class=${certificate.error ? 'is-warn' : ''} data-ordered=${certificate.name}>
    <th scope="row">${breakable(certificate.name)}${certificate.on_demand && html`<small>on demand</small>`}${certificate.error && html`<small class="order-error">${certificate.error}</small>`}</th>
    <td class="issuer">${certificate.issuer ?? 'not issued yet'}</td>
    <td class="number left" title=${seconds < 0 ? undefined : fullTime(next)}>${seconds < 0 ? 'now' : timeLeft(seconds)}</td>
  </tr>`;
}
