// The page and its layout.
import { html, render, useEffect, useState } from './vendor.js';
import { connection, received, revision, state } from './store.js';
import { bytes } from './format.js';
import { follow } from './stream.js';
import { losses } from './status.js';
import { Header } from './header.js';
import { Alerts } from './alerts.js';
import { Overview } from './overview.js';
import { panelsAt } from './panels.js';
import { ALL, filterOfAddress, rememberFilter } from './filter.js';
import { Detail } from './detail.js';
import { Explain } from './explain.js';
import { refresh } from './session.js';

/** Documentation pages in the jar, which match the version of the balancer. */
const DOCS = ['configuration', 'routing', 'dns', 'forwarder', 'discovery', 'guides/maintenance', 'guides/reload-restart', 'cli', 'logs', 'troubleshooting', 'limitations', 'metrics', 'api'];

function App() {
  const look = revision.value;
  const [filter, setFilter] = useState(filterOfAddress);
  useEffect(() => rememberFilter(filter), [filter]);
  const [backend, setBackend] = useState(null);
  const [service, setService] = useState(null);
  const { down, outage } = losses();
  useEffect(() => {
    document.title = outage ? '(outage) Ballast' : down.length > 0 ? `(${down.length} down) Ballast` : 'Ballast';
  }, [down.length, outage]);
  if (!state.overall) {
    return html`<${Header} /><main><p class="boot">${bootText()}</p></main>`;
  }
  const dnsOnly = Boolean(state.dns) && state.listeners.length === 0;
  const showPool = (name) => setFilter({ ...ALL, text: `${name}/` });
  const page = { filter, setFilter, showPool, openBackend: setBackend, openService: setService };
  const panels = (place) => panelsAt(place).map(({ id, Panel }) => html`<${Panel} key=${id} ...${page} />`);
  const left = panels('left');
  return html`<${Header} />
    <main class=${`${connection.value === 'live' ? '' : 'is-stale'} ${dnsOnly ? 'dns-only' : ''}`}>
      <${Alerts} onShow=${() => setFilter({ text: '', state: 'down' })} />
      <${Overview} revision=${look} />
      ${panels('top')}
      <div class="columns">${left.length > 0 && html`<div class="stack">${left}</div>`}${panels('right')}</div>
      ${panels('bottom')}
      <footer>Raw data: <a href="/stats">/stats</a> · <a href="/metrics">/metrics</a> · <a href="/api/v1/pools">/api/v1/pools</a> · <a href="/api/v1/backends">/api/v1/backends</a> · <a href="/api/v1/events">/api/v1/events</a> · <a href="/api/v1/openapi.json">OpenAPI</a><br />Documentation: ${DOCS.map((name, index) => html`${index > 0 && ' · '}<a key=${name} href=${`/docs/${name}.md`}>${name.slice(name.lastIndexOf('/') + 1)}</a>`)}</footer>
    </main>
    ${backend && html`<${Detail} key=${backend.key} backend=${backend} onClose=${() => setBackend(null)} />`}
    ${service && html`<${Explain} key=${`${service.name} ${service.types}`} name=${service.name} types=${service.types} onClose=${() => setService(null)} />`}`;
}

/** Returns the text that is shown until the first snapshot has arrived. */
function bootText() {
  if (received.value > 0) return `Loading… ${bytes(received.value)}`;
  return connection.value === 'reconnecting' ? 'The balancer does not respond. Reconnecting…' : 'Connecting…';
}

const place = document.getElementById('app');
place.textContent = '';
render(html`<${App} />`, place);
refresh();
follow();
