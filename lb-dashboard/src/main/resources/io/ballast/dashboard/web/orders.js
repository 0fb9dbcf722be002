// What an operator orders: of a backend from its details, of a pool from its head.
import { html, useLayoutEffect, useRef, useState } from './vendor.js';
import { post, session } from './session.js';

const ORDERS = [
  { verb: 'drain', name: 'Drain', what: 'It finishes what it has and gets nothing new.' },
  { verb: 'down', name: 'Maintenance', what: 'It gets nothing new, and its connections are not kept.' },
  { verb: 'weight', name: 'Weight', what: 'Its share beside the others, whatever the file says; 0 for none.' },
  { verb: 'up', name: 'Force up', what: 'It gets requests whatever its checks say.' },
];
const ENABLE = { verb: 'enable', name: 'Enable', what: 'What was ordered is taken back: its checks decide again, and its weight is the file’s.', ends: true };

const MAINTENANCE = { verb: 'maintenance', name: 'Maintenance', what: 'All of its requests get its maintenance page, and DNS answers as if all were down.' };
const SERVE = { verb: 'serve', name: 'Serve again', what: 'Its backends get requests again.', ends: true };

/** Puts a whole pool under maintenance, and back. Its properties are values: it is drawn anew when they change, and only then. */
export function PoolOrders({ name, underMaintenance }) {
  const order = underMaintenance ? SERVE : MAINTENANCE;
  const button = useRef(null);
  const [open, setOpen] = useState(false);
  const leave = () => {
    setOpen(false);
    button.current.focus();
  };
  if (session.value.role === 'viewer') return null;
  return html`<div class="orders of-pool">
    <button type="button" class="ghost" ref=${button} data-order=${order.verb} title=${order.what} aria-expanded=${open}
      onClick=${() => setOpen(!open)}>${order.name}</button>
    ${open && html`<${Ask} key=${order.verb} order=${order} path=${`/api/v1/pools/${encodeURIComponent(name)}`} onCancel=${leave} onDone=${leave} />`}
  </div>`;
}

export function Orders({ data, onDone }) {
  const group = useRef(null);
  const [asked, setAsked] = useState(null);
  const leave = () => {
    setAsked(null);
    group.current.querySelector('button').focus();
  };
  const button = (order) => html`<button type="button" class="ghost" key=${order.verb} data-order=${order.verb} title=${order.what}
    aria-expanded=${asked?.verb === order.verb} onClick=${() => setAsked(order)}>${order.name}</button>`;
  if (session.value.role === 'viewer') return null;
  return html`<div class="orders">
    <div class="choices" role="group" aria-label="Orders" ref=${group}>${ORDERS.map(button)}${(data.order || data.weight_order) && button(ENABLE)}</div>
    ${asked && html`<${Ask} key=${asked.verb} order=${asked} path=${backendPath(data)} weight=${data.weight} onCancel=${leave}
      onDone=${(answer) => {
        leave();
        onDone(answer);
      }} />`}
  </div>`;
}

function backendPath({ pool, addr }) {
  return `/api/v1/pools/${encodeURIComponent(pool)}/backends/${encodeURIComponent(addr)}`;
}

/** Why and for how long; once more for the last usable backend of a pool. */
function Ask({ order, path, weight: present, onDone, onCancel }) {
  const first = useRef(null);
  const [why, setWhy] = useState('');
  const [weight, setWeight] = useState(String(present));
  const [time, setTime] = useState('');
  const [problem, setProblem] = useState(null);
  useLayoutEffect(() => first.current.focus(), []);
  const send = async (event) => {
    event.preventDefault();
    const body = { who: session.value.name ?? 'page', why: why.trim() };
    if (order.verb === 'weight') body.weight = weight.trim();
    if (time.trim()) body.until = time.trim();
    if (problem?.last) body.confirm = true;
    try {
      const response = await post(`${path}/${order.verb}`, body);
      const answer = await response.json();
      if (response.ok) onDone(answer);
      else setProblem({ text: response.status === 409 ? 'It is the last usable backend of its pool: nothing would answer any more.' : answer.detail, last: response.status === 409 });
    } catch {
      setProblem({ text: 'the balancer does not answer', last: false });
    }
  };
  return html`<form class="ask" onSubmit=${send} aria-label=${order.name}>
    <p class="hint">${order.what}</p>
    ${order.verb === 'weight' && html`<label>weight <input ref=${first} type="number" class="time" min="0" max="1000" required value=${weight}
      onInput=${(event) => setWeight(event.target.value)} /></label>`}
    <label>why <input ref=${order.verb === 'weight' ? null : first} type="text" maxlength="200" autocomplete="off" value=${why} onInput=${(event) => setWhy(event.target.value)} /></label>
    ${!order.ends && html`<label>for <input type="text" class="time" placeholder="until enabled" title="such as 30s, 10m or 2h" autocomplete="off" spellcheck="false" value=${time}
      onInput=${(event) => setTime(event.target.value)} /></label>`}
    <span class="choices"><button type="submit" class=${`ghost${problem?.last ? ' check-bad' : ''}`}>${problem?.last ? `${order.name} all the same` : order.name}</button>
      <button type="button" class="ghost" onClick=${onCancel}>Cancel</button></span>
    ${problem && html`<p class="check-bad" role="alert">${problem.text}</p>`}
  </form>`;
}
