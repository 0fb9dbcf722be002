// The page as a whole.
import { html, render, useEffect, useState } from './vendor.js';
import { connection, revision, state } from './store.js';
import { follow } from './stream.js';
import { losses } from './condition.js';
import { Header } from './header.js';
import { Alerts } from './alerts.js';
import { Overview } from './overview.js';
import { filterOfAddress, rememberFilter } from './filter.js';
import { Pools } from './pools.js';
import { Listeners } from './listeners.js';
import { Routes } from './routes.js';
import { Config } from './config.js';
import { Certificates } from './certificates.js';
import { Dns } from './dns.js';
import { Forwarding } from './forwarding.js';
import { Events } from './events.js';
import { Detail } from './detail.js';
import { Explain } from './explain.js';
import { refresh } from './session.js';

function App() {
  const look = revision.value;
  const [filter, setState] = useState(filterOfAddress);
  const setFilter = (next) => {
    setState(next);
    rememberFilter(next);
  };
  const [backend, setBackend] = useState(null);
  const [service, setService] = useState(null);
  const { down, outage } = losses();
  useEffect(() => {
    document.title = outage ? '(outage) Ballast' : down.length > 0 ? `(${down.length} down) Ballast` : 'Ballast';
  }, [down.length, outage]);
  if (!state.overall) {
    return html`<${Header} /><main><p class="boot">${connection.value === 'reconnecting' ? 'The balancer does not answer. Trying again…' : 'Connecting…'}</p></main>`;
  }
  // Without HTTP, services are what the page is about.
  const dnsOnly = Boolean(state.dns) && state.listeners.length === 0;
  const dns = state.dns && html`<${Dns} onOpen=${setService} />`;
  return html`<${Header} />
    <main class=${`${connection.value === 'live' ? '' : 'is-stale'} ${dnsOnly ? 'dns-only' : ''}`}>
      <${Alerts} onShow=${() => setFilter({ text: '', state: 'down' })} />
      <${Overview} revision=${look} />
      ${dnsOnly && dns}
      ${state.dns?.forwards && html`<${Forwarding} />`}
      <${Pools} filter=${filter} setFilter=${setFilter} onOpen=${setBackend} />
      <div class="columns">${!dnsOnly && html`<div class="stack">${dns}${state.listeners.length > 0 && html`<${Listeners} /><${Routes} />`}${state.certificates.count > 0 && html`<${Certificates} />`}</div>`}<${Events} /></div>
      <${Config} />
      <footer>Raw numbers: <a href="/stats">/stats</a> · <a href="/metrics">/metrics</a> · <a href="/api/v1/pools">/api/v1/pools</a> · <a href="/api/v1/backends">/api/v1/backends</a> · <a href="/api/v1/events">/api/v1/events</a></footer>
    </main>
    ${backend && html`<${Detail} key=${backend.key} backend=${backend} onClose=${() => setBackend(null)} />`}
    ${service && html`<${Explain} key=${`${service.name} ${service.types}`} name=${service.name} types=${service.types} onClose=${() => setService(null)} />`}`;
}

const place = document.getElementById('app');
place.textContent = '';
render(html`<${App} />`, place);
refresh();
follow();
