// What changed, newest first.
import { html } from './vendor.js';
import { state } from './store.js';
import { fullTime, timeOfDay } from './format.js';

export function Events() {
  return html`<section class="card events" id="events" tabindex="-1" aria-labelledby="events-title">
    <h2 id="events-title">Events</h2>
    ${state.events.length === 0
      ? html`<p class="hint">Nothing happened since the start. Backends that go down or come back appear here.</p>`
      : html`<ol class="event-list" tabindex="0" aria-label="Events, newest first">
          ${state.events.map((event) => html`<li key=${event.id} class=${tone(event.text)}>
            <time datetime=${event.time} title=${fullTime(event.at)}>${timeOfDay(event.at)}</time>
            <span class="what"><b>${event.subject}</b> ${event.text}</span>
            <span class="origin">${event.origin}</span>
          </li>`)}
        </ol>`}
  </section>`;
}

function tone(text) {
  if (/\bdown\b|fail|refused|timeout|error/i.test(text)) return 'is-bad';
  return /\bup\b|back|ready/i.test(text) ? 'is-good' : '';
}
