// DNS: addresses, queries and responses, zones, and services with their current answers.
import { html, useState } from './vendor.js';
import { revision, state } from './store.js';
import { count, rate } from './format.js';
import { useLoaded } from './loaded.js';
import { breakable } from './names.js';
import { usePolled } from './polled.js';
import { addPanel } from './panels.js';

const REFRESH_MS = 5000;
const LISTED = 20;
/** The server's limit for one response. */
const MAX_LISTED = 500;
const asJson = (response) => response.json();
const NO_SERVICES = { total: 0, services: [] };

function Dns({ openService }) {
  const { dns } = state;
  const [limit, setLimit] = useState(LISTED);
  const page = usePolled(`/api/v1/dns/services?limit=${limit}`, REFRESH_MS, state.events[0]?.id).value ?? NO_SERVICES;
  void revision.value;
  const zones = useLoaded('/api/v1/dns/zones', true, asJson)?.zones ?? [];
  // The column is omitted if no service has regions.
  const regions = page.services.some((service) => service.answers.some((answer) => answer.regions?.length > 0));
  const list = (entries) => Object.entries(entries).filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1]).map(([name, value]) => html`<li><b>${name}</b> ${count(value)}</li>`);
  return html`<section class="card dns" id="dns" tabindex="-1" aria-labelledby="dns-title">
    <h2 id="dns-title">DNS <span class="meta">${dns.addrs.join(', ')}</span></h2>
    <dl class="dns-sums"><dt>Queries</dt><dd><ul class="tags"><li><b>${rate(dns.qps)}</b>/s</li>${list(dns.queries_by_type)}</ul></dd>
      <dt>Answers</dt><dd><ul class="tags">${list(dns.responses_by_code)}</ul></dd>
      ${zones.length > 0 && html`<dt>Zones</dt><dd><ul class="tags zones">${zones.slice(0, LISTED).map(zone)}${zones.length > LISTED && html`<li>and ${count(zones.length - LISTED)} more</li>`}</ul></dd>`}</dl>
    ${page.services.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Services"><table class="services">
      <caption class="unseen">Services and their current answers</caption>
      <thead><tr><th scope="col">Service</th><th scope="col">Current answers</th><th scope="col" class="from-s">Rule</th>${regions && html`<th scope="col" class="from-s">Region</th>`}<th scope="col" class="why">Why</th><th scope="col" class="number">TTL</th><th scope="col" class="number from-s">Queries</th></tr></thead>
      <tbody>${page.services.map((service) => html`<${Service} key=${identity(service)} service=${service} regions=${regions} onOpen=${openService} />`)}</tbody>
    </table></div>`}
    ${page.total > page.services.length && page.services.length > 0 && page.services.length < MAX_LISTED && html`<button type="button" class="more" onClick=${() => setLimit(Math.min(page.total, MAX_LISTED))}>Show ${page.total > MAX_LISTED ? `${MAX_LISTED} of` : 'all'} ${count(page.total)} services</button>`}
  </section>`;
}

function zone({ name, services, signed, file, queries }) {
  const total = Object.values(queries).reduce((sum, each) => sum + each, 0);
  const missing = queries.nxdomain > 0 && `${count(queries.nxdomain)} NXDOMAIN`;
  const notes = [total > 0 && `${count(total)} ${total === 1 ? 'query' : 'queries'}`, missing, `${count(services)} ${services === 1 ? 'service' : 'services'}`, signed && 'signed', file && 'from a file'].filter(Boolean);
  return html`<li key=${name}><b>${breakable(name)}</b> ${notes.join(', ')}</li>`;
}

const typesOf = (service) => service.answers.map((answer) => answer.type);

/** Returns the record types of a service that does not answer with addresses. */
const kindOf = (service) => (typesOf(service).includes('A') ? '' : typesOf(service).join(', '));

const identity = (service) => [service.name, kindOf(service)].filter(Boolean).join(' ');

function Service({ service, regions, onOpen }) {
  const addresses = service.answers.flatMap((answer) => answer.answer);
  const first = service.answers.find((answer) => answer.answer.length > 0) ?? service.answers[0];
  return html`<tr class=${addresses.length > 0 ? '' : 'is-bad'} data-service=${identity(service)}>
    <th scope="row"><button type="button" class="link" title=${`${service.name}: why it answers this`} onClick=${() => onOpen({ name: service.name, types: typesOf(service) })}>${breakable(service.name)}</button>${kindOf(service) && html` <small>${kindOf(service)}</small>`}</th>
    <td class="answers">${addresses.length > 0 ? addresses.map((address) => html`<span key=${address}>${address}</span>`) : html`<b>${kindOf(service) ? 'no record' : 'no address'}</b>`}</td>
    <td class="rule from-s">${first?.rule}</td>${regions && html`<td class="rule from-s">${first?.regions?.join(', ') || '–'}</td>`}
    <td class="why">${first?.decision}</td>
    <td class="number">${first && `${first.ttl_seconds} s`}</td>
    <td class="number from-s">${service.queries === undefined ? '–' : count(service.queries)}</td>
  </tr>`;
}

// Without HTTP listeners, DNS gets the full width.
addPanel({ id: 'dns', name: 'DNS', order: 10, place: () => state.dns && (state.listeners.length > 0 ? 'left' : 'top'), Panel: Dns });
