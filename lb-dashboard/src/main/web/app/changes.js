// The backends that operators have added, changed or removed at run time, each with a button to undo the change.
import { html, useState } from './vendor.js';
import { fullTime } from './format.js';
import { poolPath } from './commands.js';
import { usePolled } from './polled.js';
import { send, session } from './session.js';
import { revision, state } from './store.js';

const REFRESH_MS = 30000;
const LISTED = 10;

/** Reloads after every event of the timeline. */
export function PoolChanges({ name }) {
  void revision.value; // A component with state is rendered again only for changes of its properties and signals.
  const [taken, setTaken] = useState(0);
  const [problem, setProblem] = useState(null);
  const path = `${poolPath(name)}/changes`;
  const { value } = usePolled(path, REFRESH_MS, `${taken} ${state.events[0]?.id}`);
  const changes = value?.changes ?? [];
  if (changes.length === 0) return null;
  const takeBack = async (address) => {
    setProblem(await reset(path, address));
    setTaken((before) => before + 1);
  };
  return html`<div class="changes of-pool">
    <p>Changes by operators:</p>
    <ul>${changes.slice(0, LISTED).map((change) => html`<li key=${change.addr} data-change=${change.addr}><b>${change.is}</b> ${change.addr}${what(change)}
      <small> by ${change.who}${change.why && `: ${change.why}`}, ${fullTime(new Date(change.since))}</small>
      ${session.value.role !== 'viewer' && html` <button type="button" class="ghost" aria-label=${`Undo the change of ${change.addr}`} onClick=${() => takeBack(change.addr)}>Undo</button>`}</li>`)}
      ${changes.length > LISTED && html`<li>and ${changes.length - LISTED} more</li>`}</ul>
    ${problem && html`<p class="check-bad" role="alert">${problem}</p>`}
  </div>`;
}

function what({ is, weight, backup }) {
  return is === 'removed' ? '' : ` with weight ${weight}${backup ? ', as a backup' : ''}`;
}

/** Discards changes of operators. Returns the reason if the balancer refuses; null on success. */
async function reset(path, address) {
  try {
    const response = await send('DELETE', path, { who: session.value.name ?? 'page', address });
    return response.ok ? null : (await response.json()).detail;
  } catch {
    return 'the balancer does not respond';
  }
}
