// Backends that need someone's attention, said once, above everything.
import { html } from './vendor.js';
import { count } from './format.js';
import { allBackends } from './store.js';

const MOST = 6;

export function downBackends() {
  return allBackends().filter((backend) => backend.health.state === 'down');
}

export function Alerts({ onShow }) {
  const down = downBackends();
  const total = allBackends().length;
  return html`<div aria-live="polite" class="alerts">
    ${down.length > 0 && html`<section class="alert" aria-label="Backends that are down">
      <svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1l7.2 13H.8z" class="solid" /><path d="M8 5.5v4M8 11.7v.3" class="cut" /></svg>
      <div><strong>${count(down.length)} of ${count(total)} backends ${down.length === 1 ? 'is' : 'are'} down</strong>
        <ul>${down.slice(0, MOST).map((backend) => html`<li key=${backend.key}><b>${backend.key}</b> ${backend.health.reason}</li>`)}
          ${down.length > MOST && html`<li>and ${down.length - MOST} more</li>`}</ul></div>
      <button type="button" class="ghost" onClick=${onShow}>Show only these</button>
    </section>`}
  </div>`;
}
