// The route table of each listener.
import { html, useState } from './vendor.js';
import { revision, state } from './store.js';
import { count } from './format.js';
import { useLoaded } from './loaded.js';
import { breakable } from './names.js';
import { addPanel } from './panels.js';

const LISTED = 20;
const asJson = (response) => response.json();

function Routes({ showPool }) {
  void revision.value;
  const [every, setEvery] = useState(false);
  const answer = useLoaded('/api/v1/routes', true, asJson);
  const routes = (answer?.listeners ?? []).flatMap((listener) => listener.routes.map((route) => ({ listener, route })));
  if (routes.length === 0) return null;
  const shown = every ? routes : routes.slice(0, LISTED);
  return html`<section class="card routes" id="routes" tabindex="-1" aria-labelledby="routes-title">
    <h2 id="routes-title">Routes <span class="meta">${count(routes.length)}; the most specific match is used, then the order decides</span></h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Routes"><table>
      <caption class="unseen">Routes in the order of the configuration</caption>
      <thead><tr><th scope="col">Listener</th><th scope="col" class="number">No.</th><th scope="col">Conditions</th><th scope="col">Action</th></tr></thead>
      <tbody>${shown.map(({ listener, route }) => html`<tr key=${`${listener.name} ${route.order}`} data-route=${`${listener.name} ${route.order}`}>
        <th scope="row">${breakable(listener.name)}</th><td class="number">${route.order}</td>
        <td class="conditions">${route.conditions.length > 0 ? route.conditions.map((text) => html`<span key=${text}>${text}</span>`) : html`<small>anything</small>`}</td>
        <td class="action"><${Action} text=${route.action} showPool=${showPool} />${route.rewrite && html`<small>${route.rewrite}</small>`}</td></tr>`)}</tbody>
    </table></div>
    ${routes.length > LISTED && html`<button type="button" class="more" aria-expanded=${every} onClick=${() => setEvery(!every)}>
      ${every ? `Show only ${LISTED} of ${count(routes.length)}` : `Show all ${count(routes.length)} routes`}</button>`}
  </section>`;
}

/** The action of a route, in which pool names link to their tables. */
function Action({ text, showPool }) {
  const names = new Set(state.pools.map(({ name }) => name));
  return text.split(/([\w.-]+)/).map((word, index) => (names.has(word)
    ? html`<a key=${index} href="#pools" onClick=${() => showPool(word)}>${word}</a>`
    : word));
}

addPanel({ id: 'routes', name: 'Routes', order: 30, place: () => state.listeners.length > 0 && 'left', Panel: Routes });
