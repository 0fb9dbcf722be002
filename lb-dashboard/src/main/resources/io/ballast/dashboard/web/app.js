// The page as a whole.
import { html, render, useEffect, useState } from './vendor.js';
import { connection, revision, state } from './store.js';
import { follow } from './stream.js';
import { Header } from './header.js';
import { Alerts, downBackends } from './alerts.js';
import { Overview } from './overview.js';
import { FilterBar, passes } from './filter.js';
import { Pool } from './pool.js';
import { Frontends } from './frontends.js';
import { Events } from './events.js';
import { Detail } from './detail.js';

function App() {
  const look = revision.value;
  const [filter, setFilter] = useState({ text: '', state: null });
  const [opened, setOpened] = useState(null);
  const down = downBackends().length;
  useEffect(() => {
    document.title = down > 0 ? `(${down} down) Ballast` : 'Ballast';
  }, [down]);
  if (!state.overall) {
    return html`<${Header} /><main><p class="boot">${connection.value === 'reconnecting' ? 'The balancer does not answer. Trying again…' : 'Connecting…'}</p></main>`;
  }
  return html`<${Header} />
    <main class=${connection.value === 'live' ? '' : 'is-stale'}>
      <${Alerts} onShow=${() => setFilter({ text: '', state: 'down' })} />
      <${Overview} revision=${look} />
      <${FilterBar} filter=${filter} setFilter=${setFilter} />
      ${state.pools.map((pool) => html`<${Pool} key=${pool.name} pool=${pool} shows=${(backend) => passes(filter, backend)} onOpen=${setOpened} />`)}
      ${state.pools.length === 0 && html`<p class="card hint">There is no pool in the configuration.</p>`}
      <div class="columns"><${Frontends} /><${Events} /></div>
      <footer>Raw numbers: <a href="/stats">/stats</a> · <a href="/metrics">/metrics</a> · <a href="/api/v1/pools">/api/v1/pools</a> · <a href="/api/v1/events">/api/v1/events</a></footer>
    </main>
    ${opened && html`<${Detail} key=${opened.key} backend=${opened} onClose=${() => setOpened(null)} />`}`;
}

const place = document.getElementById('app');
place.textContent = '';
render(html`<${App} />`, place);
follow();
