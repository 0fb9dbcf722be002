// The policies with the outcomes of their evaluations, the keys that use most of their limits, and their last refusals.
import { html } from './vendor.js';
import { state } from './store.js';
import { count, fullTime, timeOfDay } from './format.js';
import { breakable } from './names.js';
import { addPanel } from './panels.js';
import { usePolled } from './polled.js';

const PATH = '/api/v1/policies';
const REFRESH_MS = 5000;
const SHOWN = 20;

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
    <div class="scroll" tabindex="0" role="region" aria-label="Policies"><table data-outcomes>
      <caption class="unseen">Policies</caption>
      <thead><tr><th scope="col">Policy</th><th scope="col" class="number">Passed</th><th scope="col" class="number from-s">Answered</th>
        <th scope="col" class="number">Refused</th><th scope="col" class="number">Failed</th></tr></thead>
      <tbody>${state.policies.map((policy) => html`<tr key=${policy.name}>
        <th scope="row">${breakable(policy.name)}<small>${policy.kind}${policy.dry_run && ', dry run'}${currently(policy)}</small></th>
        <td class="number">${count(policy.requests.passed)}</td><td class="number from-s">${count(policy.requests.answered)}</td>
        <td class="number" title=${policy.dry_run ? 'requests that would have been refused without dry_run' : undefined}>${count(policy.dry_run ? policy.requests.would_refuse : policy.requests.refused)}</td>
        <td class="number" title="requests about which the policy could not decide; they are refused with 503 or 500">${count(policy.requests.failed)}</td></tr>`)}</tbody>
    </table></div>
    <${Activity} />
  </section>`;
}

// The keys and refusals of all policies, which are loaded every few seconds.
function Activity() {
  const { value, problem } = usePolled(PATH, REFRESH_MS);
  const policies = value?.policies ?? [];
  const keys = policies.flatMap((policy) => policy.keys.map((key) => ({ policy, key })));
  keys.sort((a, b) => b.key.refused - a.key.refused || b.key.used / b.key.limit - a.key.used / a.key.limit);
  const refusals = policies.flatMap((policy) => policy.refusals.map((refusal) => ({ policy, refusal })));
  refusals.sort((a, b) => new Date(b.refusal.time) - new Date(a.refusal.time));
  return html`${problem && html`<p class="check-bad" role="alert">Keys and refusals: ${problem}</p>`}
    ${keys.length > 0 && html`<${Keys} rows=${keys.slice(0, SHOWN)} />`}
    ${refusals.length > 0 && html`<${Refusals} rows=${refusals.slice(0, SHOWN)} />`}`;
}

function Keys({ rows }) {
  return html`<div class="part"><h3>Heaviest keys</h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Heaviest keys"><table data-keys>
      <caption class="unseen">Keys with most refusals of the last 5 to 10 minutes, then those that use most of their limit</caption>
      <thead><tr><th scope="col">Key</th><th scope="col" class="from-s">Policy</th><th scope="col" class="number">Refused</th><th scope="col" class="number">In use</th></tr></thead>
      <tbody>${rows.map(({ policy, key }) => html`<tr key=${`${policy.name} ${key.id}`} class=${key.ban_seconds > 0 ? 'is-warn' : ''}>
        <th scope="row" title=${key.key ? key.id : 'the hash of a key without refusals; its value is unknown'}>${breakable(key.key ?? key.id)}${key.ban_seconds > 0 && html`<small>banned for ${count(key.ban_seconds)} s</small>`}</th>
        <td class="from-s">${policy.name}${policy.dry_run && html`<small>dry run</small>`}</td>
        <td class="number">${count(key.refused)}</td><td class="number">${count(key.used)} of ${count(key.limit)}</td></tr>`)}</tbody>
    </table></div></div>`;
}

function Refusals({ rows }) {
  return html`<div class="part"><h3>Last refusals</h3>
    <div class="scroll log" tabindex="0" role="region" aria-label="Last refusals"><table data-refusals>
      <caption class="unseen">Requests that policies have refused, newest first</caption>
      <thead><tr><th scope="col">Time</th><th scope="col">Client</th><th scope="col">Policy</th><th scope="col">Reason</th><th scope="col" class="from-s">Request</th></tr></thead>
      <tbody>${rows.map(({ policy, refusal }, index) => html`<tr key=${index}>
        <td title=${fullTime(new Date(refusal.time))}>${timeOfDay(new Date(refusal.time))}</td>
        <th scope="row">${refusal.client || '–'}${refusal.identity && html`<small>${breakable(refusal.identity)}</small>`}</th>
        <td title=${refusal.route}>${policy.name}</td>
        <td>${refusal.status} ${refusal.reason}${refusal.dry_run && html`<small>dry run</small>`}</td>
        <td class="from-s">${refusal.method} ${breakable(refusal.path)}</td></tr>`)}</tbody>
    </table></div></div>`;
}

addPanel({ id: 'policies', name: 'Policies', order: 25, place: () => state.policies.length > 0 && 'left', Panel: Policies });
