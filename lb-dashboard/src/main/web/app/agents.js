// The agents that report to this node, with their backends.
import { html, useState } from './vendor.js';
import { state } from './store.js';
import { breakable } from './names.js';
import { count, duration } from './format.js';
import { usePolled } from './polled.js';
import { addPanel } from './panels.js';
import { post, session } from './session.js';

const LIMIT = 20;
const REFRESH_MS = 5000;

function Agents() {
  const { agents } = state;
  const [done, setDone] = useState(0);
  const { value } = usePolled(`/api/v1/agents?limit=${LIMIT}`, REFRESH_MS, `${state.events[0]?.id} ${done}`);
  const rest = value ? value.total - value.agents.length : 0;
  return html`<section class="card agents" id="agents" tabindex="-1" aria-labelledby="agents-title">
    <h2 id="agents-title">Agents <span class=${`meta${agents.stale > 0 ? ' check-bad' : ''}`}>${summary(agents)}</span></h2>
    ${value?.total > 0 ? html`<div class="scroll" tabindex="0" role="region" aria-label="Agents"><table>
      <caption class="unseen">Agents that report to this node</caption>
      <thead><tr><th scope="col">Agent</th><th scope="col">Status</th><th scope="col">Backends</th><th scope="col" class="number">Last report</th></tr></thead>
      <tbody>${value.agents.map((agent) => html`<${Row} key=${agent.id} agent=${agent} onDone=${() => setDone(done + 1)} />`)}</tbody>
    </table></div>` : html`<p class="hint">No agent has registered yet.</p>`}
    ${rest > 0 && html`<p class="hint rest">And ${count(rest)} more; <code>lb agents</code> shows all of them.</p>`}
  </section>`;
}

/** Returns the number of agents in each state as text. */
function summary({ agents, stale, pending, reduced }) {
  const parts = [`${count(agents)} reporting`];
  if (stale > 0) parts.push(`${count(stale)} stale`);
  if (pending > 0) parts.push(`${count(pending)} to approve`);
  if (reduced > 0) parts.push(`${count(reduced)} with reduced weight`);
  return parts.join(', ');
}

function Row({ agent, onDone }) {
  const isPending = agent.pending_pools.length > 0;
  const kind = agent.stale || agent.status === 'revoked' ? 'is-bad' : isPending ? 'is-warn' : '';
  return html`<tr class=${kind} data-agent=${agent.id}>
    <th scope="row">${breakable(agent.id)}<small>${agent.client}</small></th>
    <td>${agent.stale ? 'stale' : agent.status}${agent.committed ? '' : ', not committed'}<${Actions} agent=${agent} isPending=${isPending} onDone=${onDone} /></td>
    <td>${agent.backends.map((each) => html`<span class="agent-backend" key=${`${each.pool}/${each.address}`}>${breakable(`${each.pool}/${each.address}`)} ${each.state}${each.used_percent < 100 && `, weight ${each.used_percent}%`}${each.reason && html`<small>${each.reason}</small>`}</span>`)}</td>
    <td class="number">${agent.report_age_seconds === undefined ? '–' : duration(agent.report_age_seconds)}</td>
  </tr>`;
}

/** Buttons for operators. A revocation needs a second click. */
function Actions({ agent, isPending, onDone }) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState(null);
  if (session.value.role === 'viewer') return null;
  const run = async (verb) => {
    setAsked(false);
    try {
      const response = await post(`/api/v1/agents/${encodeURIComponent(agent.id)}/${verb}`, { who: session.value.name ?? 'page' });
      setProblem(response.ok ? null : (await response.json()).detail);
      onDone();
    } catch {
      setProblem('the balancer does not respond');
    }
  };
  return html`<span class="choices">
    ${(isPending || agent.status === 'revoked') && html`<button type="button" class="ghost" data-command="approve" onClick=${() => run('approve')}>Approve</button>`}
    ${agent.status !== 'revoked' && html`<button type="button" class=${`ghost${asked ? ' check-bad' : ''}`} data-command="revoke" title="Removes its backends, and refuses its requests"
      onClick=${() => (asked ? run('revoke') : setAsked(true))}>${asked ? 'Really revoke' : 'Revoke'}</button>`}
    ${problem && html`<span class="check-bad" role="alert">${problem}</span>`}
  </span>`;
}

addPanel({ id: 'agents', name: 'Agents', order: 24, place: () => state.agents && 'left', Panel: Agents });
