// Commands of operators: for a backend in its details, for a pool in its head.
import { html, useLayoutEffect, useRef, useState } from './vendor.js';
import { send, session } from './session.js';

const COMMANDS = [
  { verb: 'drain', name: 'Drain', what: 'Finishes its current requests and gets no new ones.' },
  { verb: 'down', name: 'Maintenance', what: 'Gets no new requests, and its connections are closed.' },
  { verb: 'weight', name: 'Weight', what: 'Overrides the configured weight; 0 means no requests.' },
  { verb: 'up', name: 'Force up', what: 'Gets requests regardless of its health checks.' },
];
const REMOVE = { verb: 'remove', name: 'Remove', what: 'Removes the backend after its current requests. A reload or restart does not bring it back.', method: 'DELETE', path: '', ends: true };
const ADD = { verb: 'add', name: 'Add backend', what: 'Adds a backend to the configured ones. It survives reloads and restarts.', path: '/backends', ends: true };
const ENABLE = { verb: 'enable', name: 'Enable', what: 'Removes all overrides: health checks decide again, and the configured weight applies.', ends: true };

const MAINTENANCE = { verb: 'maintenance', name: 'Maintenance', what: 'All requests get the maintenance page, and DNS answers as if all backends were down.' };
const SERVE = { verb: 'serve', name: 'Serve again', what: 'Ends the maintenance: the backends get requests again.', ends: true };

/**
 * Starts and ends the maintenance of a pool, and adds backends to it. Its properties are plain values, so it is
 * rendered again only when they change.
 */
export function PoolCommands({ name, underMaintenance }) {
  const group = useRef(null);
  const [selected, setSelected] = useState(null);
  const [message, setMessage] = useState(null);
  const commands = [underMaintenance ? SERVE : MAINTENANCE, ADD];
  const leave = (text) => {
    group.current?.querySelector(`[data-command=${selected.verb}]`)?.focus();
    setSelected(null);
    setMessage(text);
  };
  if (session.value.role === 'viewer') return null;
  return html`<div class="commands of-pool">
    <span class="choices" ref=${group}>${commands.map((command) => html`<button type="button" class="ghost" key=${command === ADD ? 'add' : 'state'} data-command=${command.verb} title=${command.what}
      aria-expanded=${selected?.verb === command.verb} onClick=${() => setSelected(selected?.verb === command.verb ? null : command)}>${command.name}</button>`)}
      <span role="status" class="hint">${message}</span></span>
    ${selected && html`<${CommandForm} key=${selected.verb} command=${selected} path=${poolPath(name)} weight=${1} onCancel=${() => leave(null)}
      onDone=${(answer) => leave(selected === ADD ? `${answer.addr} was added.` : null)} />`}
  </div>`;
}

export function poolPath(name) {
  return `/api/v1/pools/${encodeURIComponent(name)}`;
}

export function Commands({ data, onDone }) {
  const group = useRef(null);
  const [selected, setSelected] = useState(null);
  const leave = () => {
    setSelected(null);
    group.current?.querySelector('button').focus(); // null if the dialog was closed before the response arrived
  };
  const button = (command) => html`<button type="button" class="ghost" key=${command.verb} data-command=${command.verb} title=${command.what}
    aria-expanded=${selected?.verb === command.verb} onClick=${() => setSelected(command)}>${command.name}</button>`;
  if (session.value.role === 'viewer') return null;
  return html`<div class="commands">
    <div class="choices" role="group" aria-label="Commands" ref=${group}>${COMMANDS.map(button)}${(data.order || data.weight_order) && button(ENABLE)}${button(REMOVE)}</div>
    ${selected && html`<${CommandForm} key=${selected.verb} command=${selected} path=${backendPath(data)} weight=${data.weight} onCancel=${leave}
      onDone=${(answer) => {
        leave();
        onDone(answer, selected);
      }} />`}
  </div>`;
}

function backendPath({ pool, addr }) {
  return `${poolPath(pool)}/backends/${encodeURIComponent(addr)}`;
}

/** The form of a command. It asks for confirmation if the last usable backend of a pool is affected. */
function CommandForm({ command, path, weight: present, onDone, onCancel }) {
  const first = useRef(null);
  const weighs = command.verb === 'weight' || command.verb === 'add';
  const firstIs = { weight: 'weight', add: 'address' }[command.verb] ?? 'why';
  const refOf = (field) => (field === firstIs ? first : null);
  const [why, setWhy] = useState('');
  const [weight, setWeight] = useState(String(present));
  const [time, setTime] = useState('');
  const [address, setAddress] = useState('');
  const [backup, setBackup] = useState(false);
  const [problem, setProblem] = useState(null);
  useLayoutEffect(() => first.current.focus(), []);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const body = { who: session.value.name ?? 'page', why: why.trim() };
    if (weighs) body.weight = weight.trim();
    if (command.verb === 'add') Object.assign(body, { address: address.trim(), backup });
    if (time.trim()) body.until = time.trim();
    if (problem?.last) body.confirm = true;
    try {
      const response = await send(command.method ?? 'POST', `${path}${command.path ?? `/${command.verb}`}`, body);
      const answer = await response.json();
      const last = response.status === 409 && /confirm=true/.test(answer.detail);
      if (response.ok) onDone(answer);
      else setProblem({ text: last ? 'This is the last usable backend of the pool.' : answer.detail, last });
    } catch {
      setProblem({ text: 'the balancer does not respond', last: false });
    }
    setBusy(false);
  };
  return html`<form class="ask" onSubmit=${submit} aria-label=${command.name}>
    <p class="hint">${command.what}</p>
    ${command.verb === 'add' && html`<label>address <input ref=${refOf('address')} type="text" class="time" inputmode="url" placeholder="10.0.0.7:8080" required autocomplete="off" spellcheck="false" value=${address}
      onInput=${(event) => setAddress(event.target.value)} /></label>`}
    ${weighs && html`<label>weight <input ref=${refOf('weight')} type="number" class="time" min="0" max="1000" required value=${weight}
      onInput=${(event) => setWeight(event.target.value)} /></label>`}
    ${command.verb === 'add' && html`<label title="used only while no other backend can serve"><input type="checkbox" checked=${backup} onChange=${(event) => setBackup(event.target.checked)} /> backup</label>`}
    <label>reason <input ref=${refOf('why')} type="text" maxlength="200" autocomplete="off" value=${why} onInput=${(event) => setWhy(event.target.value)} /></label>
    ${!command.ends && html`<label>duration <input type="text" class="time" placeholder="until enabled" title="such as 30s, 10m or 2h" autocomplete="off" spellcheck="false" value=${time}
      onInput=${(event) => setTime(event.target.value)} /></label>`}
    <span class="choices"><button type="submit" class=${`ghost${problem?.last ? ' check-bad' : ''}`}>${problem?.last ? `${command.name} anyway` : command.name}</button>
      <button type="button" class="ghost" onClick=${onCancel}>Cancel</button></span>
    ${problem && html`<p class="check-bad" role="alert">${problem.text}</p>`}
  </form>`;
}
