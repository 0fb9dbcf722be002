// Problems that need attention, at the top of the page.
import { html } from './vendor.js';
import { brief } from './down.js';
import { expiringSoon, secondsLeft } from './certificates.js';
import { lacksMajority } from './cluster.js';
import { count, duration, fullTime, timeLeft, timeOfDay } from './format.js';
import { losses } from './status.js';
import { connection, revision, state } from './store.js';

const MAX_SHOWN = 6;

export function Alerts({ onShow }) {
  void revision.value;
  const lost = losses();
  return html`<div aria-live="polite" class="alerts">
    ${connection.value !== 'live' && html`<${Stale} />`}
    ${state.reloadRefused && html`<${Refused} refused=${state.reloadRefused} />`}
    ${state.cluster && !state.cluster.has_majority && html`<${NoLeader} cluster=${state.cluster} />`}
    ${expiringSoon().length > 0 && html`<${Expiring} />`}
    ${lost.outage ? html`<${Outage} lost=${lost} onShow=${onShow} />` : html`<${Partial} lost=${lost} onShow=${onShow} />`}
  </div>`;
}

function Stale() {
  return html`<section class="alert is-stale" id="stale" aria-label="Connection lost">
    <${Warning} /><div><strong>The balancer does not respond.</strong>
      <p>The data below is from ${timeOfDay(new Date(state.time))}. Reconnecting…</p></div>
  </section>`;
}

/** Shows the errors of a refused reload, until a reload succeeds. */
function Refused({ refused }) {
  const { errors, more_errors: more } = refused;
  return html`<section class="alert" id="reload-refused" aria-label="Reload refused">
    <${Warning} /><div><strong>The last reload was refused; the previous configuration remains active.</strong>
      <p>At ${timeOfDay(new Date(refused.time))}, requested by ${refused.who}:</p>
      <ul class="errors">${errors.map((error, index) => html`<li key=${index}>${error}</li>`)}${more > 0 && html`<li>and ${count(more)} more</li>`}</ul></div>
  </section>`;
}

/** Shows why no change can be committed: too few voters are connected, or they have not elected a leader yet. */
function NoLeader({ cluster }) {
  const { missing_voters: missing } = cluster;
  const title = lacksMajority(cluster)
    ? `No majority of the voters is connected: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`
    : 'The voters of the cluster have not elected a leader yet.';
  return html`<section class="alert is-warn" id="no-majority" aria-label="No majority in the cluster">
    <${Warning} /><div><strong>${title}</strong>
      <p>This node serves with its last state; changes are pending.</p></div>
    <a class="ghost" href="#cluster">Cluster</a>
  </section>`;
}

/** Shows certificates that have expired or will expire soon; clients refuse to connect after the expiry. */
function Expiring() {
  const { expired, expiring } = state.certificates;
  const bad = expiringSoon();
  const title = expired > 0
    ? `${count(expired)} ${expired === 1 ? 'certificate has' : 'certificates have'} expired: clients refuse to connect`
    : `${count(expiring)} ${expiring === 1 ? 'certificate expires' : 'certificates expire'} soon`;
  const rest = expired + expiring - Math.min(MAX_SHOWN, bad.length);
  return html`<section class=${`alert${expired > 0 ? '' : ' is-warn'}`} id="expiring" aria-label="Certificates that expire">
    <${Warning} /><div><strong>${title}</strong>
      <p class="down">${bad.slice(0, MAX_SHOWN).map((each) => html`<span key=${`${each.listener} ${each.file}`}><b>${each.names[0] ?? each.file}</b> ${expiryOf(each)}</span>`)}${rest > 0 && html`<span class="rest">and ${count(rest)} more</span>`}</p></div>
    <a class="ghost" href="#certificates">Certificates</a>
  </section>`;
}

function expiryOf(certificate) {
  const seconds = secondsLeft(certificate);
  const at = fullTime(new Date(certificate.not_after));
  return seconds < 0 ? `expired at ${at}` : `expires in ${timeLeft(seconds)}, at ${at}`;
}

function Outage({ lost, onShow }) {
  const last = Math.max(...state.pools.flatMap((pool) => pool.backends.map((backend) => backend.since.getTime())));
  const panic = lost.panics.length > 0;
  const backends = lost.total === 1 ? 'The only backend has' : `All ${count(lost.total)} backends have`;
  const clients = panic ? 'Panic mode: requests are sent to unhealthy backends' : state.listeners.length > 0 ? 'Requests get error responses' : 'DNS services use their when_all_down setting';
  return html`<section class="alert is-outage" id="outage" aria-label="Outage">
    <${Warning} size=${28} /><div><strong>Outage: no backend is in service</strong>
      <p>${backends} been ${panic ? 'unhealthy' : 'unavailable'} for ${duration((state.time - last) / 1000)}. ${clients}.</p>
      <${Down} down=${lost.down} /></div>
    ${lost.total > MAX_SHOWN && html`<button type="button" class="ghost" onClick=${onShow}>Show them</button>`}
  </section>`;
}

function Partial({ lost, onShow }) {
  const { down, dead, total } = lost;
  if (down.length === 0 && dead.length === 0) return null;
  const title = down.length === 0 ? 'A pool has no healthy backend' : `${count(down.length)} of ${count(total)} backends ${down.length === 1 ? 'is' : 'are'} down`;
  return html`<section class="alert" aria-label="Backends that are down">
    <${Warning} />
    <div><strong>${title}</strong>
      ${dead.length > 0 && html`<p class="dead">Out of service: ${dead.slice(0, MAX_SHOWN).map((pool, i) => html`${i > 0 && ', '}<b>${pool.name}</b>`)}${dead.length > MAX_SHOWN && ` and ${dead.length - MAX_SHOWN} more pools`}. ${
        dead.length === 1 ? 'It has' : 'They have'} no healthy backend left.</p>`}
      <${Down} down=${down} /></div>
    ${down.length > 0 && html`<button type="button" class="ghost" onClick=${onShow}>Show only these</button>`}
  </section>`;
}

function Down({ down }) {
  return html`<p class="down">${brief(down, MAX_SHOWN, (backend) => backend.key, (backend) => `${backend.pool}:`)}</p>`;
}

function Warning({ size = 18 }) {
  return html`<svg width=${size} height=${size} viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1l7.2 13H.8z" class="solid" /><path d="M8 5.5v4M8 11.7v.3" class="cut" /></svg>`;
}
