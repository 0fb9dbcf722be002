// The reasons for the state of a backend: every level of authority, and in a cluster the vote of every node.
import { html } from './vendor.js';
import { localTimes } from './format.js';
import { breakable } from './names.js';
import { usePolled } from './polled.js';

const REFRESH_MS = 2000;

export function Decision({ backend }) {
  const { value } = usePolled(`/api/v1/backends/${encodeURIComponent(backend.pool)}/${encodeURIComponent(backend.addr)}/explain`, REFRESH_MS, null);
  return value && html`<details class="decision"><summary>Decided by ${value.decided_by.replaceAll('_', ' ')}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Levels of authority"><table>
      <caption class="unseen">Levels of authority, the highest first</caption>
      <thead><tr><th scope="col">Level</th><th scope="col">State</th><th scope="col">Reason</th></tr></thead>
      <tbody>${value.levels.map((level, at) => html`<tr key=${at} class=${level.decides ? 'decides' : ''} data-level=${level.level}>
        <th scope="row">${level.level.replaceAll('_', ' ')}${level.decides && html`<small>decides</small>`}</th>
        <td>${level.state ?? '–'}</td><td>${localTimes(level.text)}</td></tr>`)}</tbody>
    </table></div>
    ${value.votes && html`<${Votes} votes=${value.votes} />`}
  </details>`;
}

function Votes({ votes }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Votes"><table class="votes">
    <caption class="unseen">Votes of the nodes</caption>
    <thead><tr><th scope="col">Node</th><th scope="col">Vote</th><th scope="col">Reason</th></tr></thead>
    <tbody>${votes.nodes.map((node) => html`<tr key=${node.node} data-node=${node.node}>
      <th scope="row">${breakable(node.node)}${node.self && html`<small>this node</small>`}</th>
      <td class=${node.vote === 'down' ? 'check-bad' : ''}>${node.vote ?? (node.chosen ? 'none yet' : 'does not check')}</td><td>${node.reason ?? ''}</td></tr>`)}</tbody>
  </table></div>`;
}
