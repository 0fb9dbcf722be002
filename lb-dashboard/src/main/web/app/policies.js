// The policies with the outcomes of their evaluations.
import { html } from './vendor.js';
import { state } from './store.js';
import { count } from './format.js';
import { breakable } from './names.js';
import { addPanel } from './panels.js';

// The current values of a policy, such as "limit 20, 3 in flight" or "shared by 3 nodes"; empty if it has none.
function currently({ state: values = {} }) {
  const texts = [];
  if (values.open) texts.push('open');
  if (values.limit !== undefined) texts.push(`limit ${count(values.limit)}`);
  if (values.in_flight !== undefined) texts.push(`${count(values.in_flight)} in flight`);
  if (values.waiting) texts.push(`${count(values.waiting)} waiting`);
  if (values.nodes) texts.push(`shared by ${count(values.nodes)} node${values.nodes === 1 ? '' : 's'}`);
  return texts.map((text) => `, ${text}`).join('');
}

function Policies() {
  return html`<section class="card policies" id="policies" tabindex="-1" aria-labelledby="policies-title">
    <h2 id="policies-title">Policies</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Policies"><table>
      <caption class="unseen">Policies</caption>
      <thead><tr><th scope="col">Policy</th><th scope="col" class="number">Passed</th><th scope="col" class="number from-s">Answered</th>
        <th scope="col" class="number">Refused</th><th scope="col" class="number">Failed</th></tr></thead>
      <tbody>${state.policies.map((policy) => html`<tr key=${policy.name}>
        <th scope="row">${breakable(policy.name)}<small>${policy.kind}${policy.dry_run && ', dry run'}${currently(policy)}</small></th>
        <td class="number">${count(policy.requests.passed)}</td><td class="number from-s">${count(policy.requests.answered)}</td>
        <td class="number" title=${policy.dry_run ? 'requests that would have been refused without dry_run' : undefined}>${count(policy.dry_run ? policy.requests.would_refuse : policy.requests.refused)}</td>
        <td class="number" title="requests about which the policy could not decide; they are refused with 503 or 500">${count(policy.requests.failed)}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}

addPanel({ id: 'policies', name: 'Policies', order: 25, place: () => state.policies.length > 0 && 'left', Panel: Policies });
