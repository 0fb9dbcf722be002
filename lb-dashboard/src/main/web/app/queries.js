// DNS queries: a live sample of the stream, or the matching entries of the query log during a search.
import { html, useEffect, useState } from './vendor.js';
import { revision, seedQueries, state } from './store.js';
import { count, ms, timeOfDay } from './format.js';
import { sendCommand } from './filtering.js';
import { breakable } from './names.js';
import { usePolled } from './polled.js';
import { session } from './session.js';
import { useDebounced } from './debounce.js';

const OUTCOMES = ['authority', 'hit', 'stale', 'miss', 'blocked', 'rewritten', 'refused', 'failed'];
const PATH = '/api/v1/dns/queries';
const SHOWN = 100;
const REFRESH_MS = 2000;
const NONE = { name: '', client: '', type: '', outcome: '' };

export function Queries() {
  void revision.value; // A component with state is rendered again only for changes of its properties and signals.
  const [search, setSearch] = useState(NONE);
  const [stopped, setStopped] = useState(null);
  const [held, setHeld] = useState(null);
  const [settled] = useDebounced(search);
  const conditions = Object.fromEntries(Object.entries(settled).map(([key, value]) => [key, value.trim()]));
  const searching = Object.values(conditions).some(Boolean);
  const { value: found, problem } = usePolled(searching && !stopped ? pathOf(conditions) : null, REFRESH_MS);
  const log = useSeed();
  const current = searching ? found?.queries ?? [] : state.queries;
  // Rows do not move while the user points at them or has the focus in them.
  const rows = stopped ?? held ?? current;
  const set = (key) => (event) => {
    setHeld(null);
    setStopped(null);
    const { value } = event.target;
    setSearch((before) => ({ ...before, [key]: value }));
  };
  const input = (key, label) => html`<label>${label} <input type="search" autocomplete="off" spellcheck="false" value=${search[key]} onInput=${set(key)} /></label>`;
  return html`<div class="part queries">
    <h3>Queries</h3>
    <div class="question" role="search" aria-label="Queries">${input('name', 'name')}${input('client', 'client')}${input('type', 'type')}
      <label>outcome <select value=${search.outcome} onChange=${set('outcome')}><option value="">all</option>${OUTCOMES.map((one) => html`<option key=${one}>${one}</option>`)}</select></label>
      <button type="button" class="ghost" aria-pressed=${stopped !== null} onClick=${() => setStopped(stopped ? null : rows)}>Hold</button>
      <span class="hint" data-shown>${shownOf(searching, rows, log)}</span></div>
    ${problem && searching && html`<p class="check-bad" role="alert">${problem}</p>`}
    ${rows.length === 0 ? html`<p class="hint">${emptyOf(searching, log)}</p>` : html`<${Table} rows=${rows.slice(0, SHOWN)}
      hold=${() => setHeld((before) => before ?? current)} release=${() => setHeld(null)} />`}
  </div>`;
}

function pathOf(conditions) {
  return `${PATH}?${new URLSearchParams({ ...Object.fromEntries(Object.entries(conditions).filter(([, value]) => value)), limit: SHOWN })}`;
}

function shownOf(searching, rows, log) {
  if (searching) return `${count(rows.length)}${rows.length === SHOWN ? ' newest' : ''} of the last ${count(log?.memory)} queries`;
  const { seen, sampled } = state.queriesSeen;
  return seen > sampled ? `sampled: ${count(sampled)} of ${count(seen)} in the last seconds` : '';
}

function emptyOf(searching, log) {
  if (log?.logged === false) return 'Queries are not logged (dns.query_log is off).';
  if (log?.memory === 0) return 'The query log keeps no queries in memory (dns.query_log), so there is nothing to search.';
  return searching ? 'No query matches.' : 'No queries yet.';
}

/** Loads the current queries of the log, and its size. */
function useSeed() {
  const [log, setLog] = useState(null);
  useEffect(() => {
    fetch(`${PATH}?limit=${SHOWN}`).then((response) => response.json()).then((answer) => {
      setLog(answer);
      seedQueries(answer.queries ?? []);
    }).catch(() => {}); // The header shows that the connection is lost.
  }, [state.boot]);
  return log;
}

function Table({ rows, hold, release }) {
  const [message, setMessage] = useState(null);
  const may = session.value.role !== 'viewer';
  return html`<p role="status" class=${message?.bad ? 'check-bad' : 'hint'}>${message?.text}</p>
  <div class="scroll log" tabindex="0" role="region" aria-label="Queries" onMouseEnter=${hold} onMouseLeave=${release} onFocusIn=${hold} onFocusOut=${release}><table class="log-lines">
    <caption class="unseen">Queries, newest first</caption>
    <thead><tr><th scope="col">Time</th><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Outcome</th><th scope="col" class="from-s">By</th>
      <th scope="col" class="from-s">Client</th><th scope="col" class="from-s">Code</th><th scope="col" class="number">Took</th>${may && html`<th scope="col"><span class="unseen">Actions</span></th>`}</tr></thead>
    <tbody>${rows.map((query, index) => html`<tr key=${index} class=${query.outcome === 'failed' ? 'is-bad' : ''}>
      <td title=${new Date(query.time).toISOString()}>${timeOfDay(new Date(query.time))}</td><th scope="row">${breakable(query.name)}</th><td>${query.type}</td>
      <td><b class=${`outcome is-${query.outcome}`}>${query.outcome}</b></td><td class="from-s">${query.by || '–'}</td>
      <td class="from-s">${query.client || '–'} <small>${query.transport}</small></td><td class="from-s">${query.rcode}</td><td class="number">${ms(query.ms)}</td>
      ${may && html`<td><${FilterButton} query=${query} notify=${setMessage} /></td>`}</tr>`)}</tbody>
  </table></div>`;
}

/** Blocks a name, or allows it if it was blocked. */
function FilterButton({ query, notify }) {
  if (query.outcome === 'authority' || query.name === '.') return null;
  const verb = query.outcome === 'blocked' ? 'allow' : 'block';
  const click = async () => {
    const problem = await sendCommand(verb, { name: query.name });
    notify(problem ? { bad: true, text: `${query.name}: ${problem}` } : { text: `${query.name} is ${verb === 'allow' ? 'allowed' : 'blocked'} from now on.` });
  };
  return html`<button type="button" class="ghost" aria-label=${`${verb} ${query.name}`} onClick=${click}>${verb}</button>`;
}
