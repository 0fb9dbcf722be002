// The nodes of the cluster, their configurations, and the changes that the cluster has not committed yet.
import { html } from './vendor.js';
import { state } from './store.js';
import { breakable } from './names.js';
import { count, duration, fullTime, ms } from './format.js';
import { usePolled } from './polled.js';
import { addPanel } from './panels.js';

const REFRESH_MS = 5000;
const PENDING_SHOWN = 10;
const POOLS_SHOWN = 100;
const DAY_MS = 86400000;
const CERTIFICATE_DAYS = 30;

/** Returns whether too few voters are connected to commit a change. */
export const lacksMajority = ({ voters, missing_voters: missing }) => 2 * (voters - missing.length) <= voters;

function Cluster() {
  const { cluster } = state;
  const { value } = usePolled('/api/v1/cluster', REFRESH_MS, `${state.events[0]?.id} ${cluster.leader} ${cluster.pending}`);
  return html`<section class="card cluster" id="cluster" tabindex="-1" aria-labelledby="cluster-title">
    <h2 id="cluster-title">Cluster ${breakable(cluster.name)} <span class=${`meta${cluster.has_majority ? '' : ' check-bad'}`}>seen by ${cluster.node}; ${cluster.has_majority ? `leader ${cluster.leader}` : 'no leader'}</span></h2>
    ${value?.configuration.active > 0 && html`<p class="hint" data-version>${versionText(value)}</p>`}
    ${value && html`<${Nodes} seen=${value} /><${Sums} /><${Pending} pending=${value.pending} /><p class="hint" data-problems>${problems(value)}</p>`}
  </section>`;
}

/** Describes the configuration that a node uses; null if the node has not reported it yet. */
const inUse = (node) => {
  if (!node) return null;
  if (node.mode === 'local') return 'own file (local)';
  return node.version > 0 ? `version ${node.version}` : 'own file';
};

/** Returns whether a node should use the active version, but does not. */
const isOutdated = (node, active) => active > 0 && node?.mode === 'shared' && node.version !== active;

function Nodes({ seen }) {
  const { active } = seen.configuration;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Nodes"><table>
    <caption class="unseen">Nodes of the cluster</caption>
    <thead><tr><th scope="col">Node</th><th scope="col">Role</th><th scope="col" class="from-s">Address</th>
      <th scope="col" class="number">Round trip</th><th scope="col" class="number">Uptime</th>${active > 0 && html`<th scope="col">Configuration</th>`}</tr></thead>
    <tbody>
      ${seen.missing_voters.map((name) => html`<tr class="is-bad" key=${name} data-node=${name}>
        <th scope="row">${breakable(name)}<small>not connected</small></th><td>voter</td><td class="from-s">–</td><td class="number">–</td><td class="number">–</td>${active > 0 && html`<td>–</td>`}</tr>`)}
      ${seen.nodes.map((node) => html`<tr key=${node.name} data-node=${node.name}>
        <th scope="row">${breakable(node.name)}${node.name === seen.node && html`<small>this node</small>`}${expiry(node)}</th>
        <td>${node.leader ? 'leader' : node.role}</td><td class="from-s">${breakable(node.address)}</td>
        <td class="number">${ms(node.round_trip_ms)}</td><td class="number">${duration(node.uptime_seconds)}</td>
        ${active > 0 && html`<td class=${isOutdated(node.configuration, active) ? 'check-bad' : ''}>${inUse(node.configuration) ?? '–'}${node.configuration?.failure && html`<small>${breakable(node.configuration.failure)}</small>`}</td>`}</tr>`)}
    </tbody>
  </table></div>`;
}

/** Returns a note if the certificate of a node ends within 30 days. */
function expiry({ certificate_end: end }) {
  const days = end ? (new Date(end) - state.time) / DAY_MS : Infinity;
  if (days > CERTIFICATE_DAYS) return null;
  return html`<small class=${days > CERTIFICATE_DAYS / 4 ? undefined : 'check-bad'}>${days > 0 ? `certificate ends in ${Math.floor(days)} days` : 'certificate has ended'}</small>`;
}

/** Shows the requests of all nodes together, by pool. */
function Sums() {
  const { value } = usePolled('/api/v1/cluster/stats', REFRESH_MS, state.cluster.name);
  if (!value || value.pools.length === 0) return null;
  const missing = value.missing.length > 0 && `; not counted: ${value.missing.join(', ')}`;
  return html`<h3>Requests of all nodes <span class="meta">since their starts, sum of ${count(value.nodes.length)} node${value.nodes.length === 1 ? '' : 's'}${missing}</span></h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Requests of all nodes"><table class="sums">
      <caption class="unseen">Requests of all nodes by pool</caption>
      <thead><tr><th scope="col">Pool</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Errors</th><th scope="col" class="number">Average</th></tr></thead>
      <tbody>${value.pools.slice(0, POOLS_SHOWN).map((pool) => html`<tr key=${pool.name}>
        <th scope="row">${breakable(pool.name)}</th><td class="number">${count(pool.total_req_count)}</td><td class="number">${count(pool.errors)}</td><td class="number">${ms(pool.avg_res_time)}</td></tr>`)}</tbody>
    </table></div>`;
}

function Pending({ pending }) {
  if (pending.length === 0) return null;
  const rest = pending.length - PENDING_SHOWN;
  return html`<h3>Pending changes <span class="meta">${count(pending.length)}; active on this node only</span></h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Pending changes"><table class="pending">
      <caption class="unseen">Changes that the cluster has not committed yet</caption>
      <thead><tr><th scope="col">Change</th><th scope="col" class="number">Age</th></tr></thead>
      <tbody>${pending.slice(0, PENDING_SHOWN).map(({ subject, since }) => html`<tr key=${subject}>
        <th scope="row">${breakable(subject)}</th><td class="number" title=${fullTime(new Date(since))}>${duration((state.time - new Date(since)) / 1000)}</td></tr>`)}</tbody>
    </table></div>
    ${rest > 0 && html`<p class="hint rest">And ${count(rest)} more; <code>lb cluster status</code> shows all of them.</p>`}`;
}

/** Names the active version of the configuration, and the nodes that do not use it. */
function versionText({ configuration: { active }, nodes }) {
  const outdated = nodes.filter((node) => isOutdated(node.configuration, active)).map((node) => node.name);
  return `Configuration: version ${active} is active${outdated.length > 0 ? `; not used by ${outdated.join(', ')}` : ''}.`;
}

/** Returns the problems since the start of the process as a sentence. */
function problems(seen) {
  const kinds = [
    [seen.rejected_changes, 'rejected change'],
    [seen.refused_connections, 'refused connection'],
    [seen.failed_handshakes, 'failed TLS handshake'],
    [seen.dropped_messages, 'dropped message'],
  ];
  const texts = kinds.filter(([number]) => number > 0).map(([number, name]) => `${count(number)} ${name}${number === 1 ? '' : 's'}`);
  return texts.length > 0 ? `Since the start: ${texts.join(', ')}.` : 'No connection refused and no change rejected since the start.';
}

addPanel({ id: 'cluster', name: 'Cluster', order: 22, place: () => state.cluster && 'left', Panel: Cluster });
