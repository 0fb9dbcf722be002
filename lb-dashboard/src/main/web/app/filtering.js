// The rule lists, and a button to pause the filter.
import { html, useState } from './vendor.js';
import { count, duration, fullTime, timeOfDay } from './format.js';
import { usePolled } from './polled.js';
import { post, session } from './session.js';
import { revision, state } from './store.js';

const REFRESH_MS = 10000;
const ADDED_SHOWN = 20;
const PAUSES = [{ name: '5 min', seconds: 300 }, { name: '1 h', seconds: 3600 }];

export function Filtering({ blocked }) {
  const { value, problem } = usePolled('/api/v1/dns/lists', REFRESH_MS, state.events[0]?.id);
  const lists = value?.lists ?? [];
  return html`<div class="part">
    <h3>Rule lists</h3>
    ${problem && html`<p class="check-bad" role="alert">${problem}</p>`}
    ${value && lists.length === 0 && html`<p class="hint">No rule list is configured, so no name is blocked.</p>`}
    ${lists.length > 0 && html`<${Pause} />
      <div class="scroll" tabindex="0" role="region" aria-label="Rule lists"><table class="lists">
      <caption class="unseen">Rule lists</caption>
      <thead><tr><th scope="col">List</th><th scope="col" class="number">Rules</th><th scope="col" class="number">Blocked</th><th scope="col">Read</th><th scope="col" class="why">Remarks</th></tr></thead>
      <tbody>${lists.map((list) => html`<${List} key=${list.name} list=${list} blocked=${blocked[list.name] ?? list.blocked} />`)}</tbody>
    </table></div>`}
  </div>`;
}

function List({ list, blocked }) {
  const age = list.read > 0 ? `${duration((state.time - list.read) / 1000)} ago` : 'never';
  const remarks = [!list.enabled && 'not enabled', list.problem, list.refused > 0 && `${count(list.refused)} lines refused`].filter(Boolean);
  return html`<tr class=${list.failed > 0 ? 'is-bad' : ''} data-list=${list.name}>
    <th scope="row">${list.name}</th><td class="number">${count(list.rules)}</td><td class="number">${count(blocked)}</td>
    <td title=${list.read > 0 ? fullTime(new Date(list.read)) : null}>${age}</td>
    <td class=${`why${list.failed > 0 ? ' check-bad' : ''}`} title=${list.refusals.join('\n')}>${list.failed > 0 && 'cannot be read: '}${remarks.join('; ') || '–'}</td>
  </tr>`;
}

/** Pauses the filter; viewers do not see the buttons. */
function Pause() {
  void revision.value;
  const [sentCommands, setSentCommands] = useState(0);
  const [problem, setProblem] = useState(null);
  const { value: filter } = usePolled('/api/v1/dns/filter', REFRESH_MS, `${sentCommands} ${state.events[0]?.id}`);
  if (!filter) return null;
  const run = async (verb, parameters) => {
    setProblem(await sendCommand(verb, parameters));
    setSentCommands((before) => before + 1);
  };
  const paused = filter.paused_until > state.time;
  const may = session.value.role !== 'viewer';
  return html`<div class="choices pause">
    <span role="status">${paused ? html`<b class="check-warn">The filter is paused until ${timeOfDay(new Date(filter.paused_until))}</b>` : 'The filter is active.'}</span>
    ${may && paused && html`<button type="button" class="ghost" data-command="resume" onClick=${() => run('resume', {})}>Resume</button>`}
    ${may && PAUSES.map(({ name, seconds }) => html`<button type="button" class="ghost" key=${seconds} data-command=${`pause-${seconds}`}
      onClick=${() => run('pause', { seconds })}>Pause for ${name}</button>`)}
    ${problem && html`<span class="check-bad" role="alert">${problem}</span>`}
  </div>
  <${Added} names=${filter.added ?? []} forget=${may ? (name) => run('forget', { name }) : null} />`;
}

/** Lists the latest names that operators have allowed or blocked, and counts the other ones. */
function Added({ names, forget }) {
  if (names.length === 0) return null;
  const shown = names.slice(-ADDED_SHOWN).reverse();
  return html`<ul class="added" aria-label="Names that operators have allowed or blocked">
    ${shown.map(({ action, name }) => html`<li key=${name} data-added=${name}><b>${action}</b> <span class="address">${name}</span>
      ${forget && html`<button type="button" class="ghost" aria-label=${`forget ${name}`} onClick=${() => forget(name)}>forget</button>`}</li>`)}
    ${names.length > shown.length && html`<li class="hint">and ${count(names.length - shown.length)} more</li>`}
  </ul>`;
}

/** Sends a command to the filter; returns the reason of a refusal, null on success. */
export async function sendCommand(verb, parameters) {
  const query = new URLSearchParams({ ...parameters, who: session.value.name ?? 'page' });
  try {
    const response = await post(`/api/v1/dns/filter/${verb}?${query}`, {});
    return response.ok ? null : (await response.json()).detail;
  } catch {
    return 'the balancer does not respond';
  }
}
