// What an operator orders of a backend, from its details.
import { html, useLayoutEffect, useRef, useState } from './vendor.js';

const ORDERS = [
  { verb: 'drain', name: 'Drain', what: 'It finishes what it has and gets nothing new.' },
  { verb: 'down', name: 'Maintenance', what: 'It gets nothing new, and its connections are not kept.' },
  { verb: 'up', name: 'Force up', what: 'It gets requests whatever its checks say.' },
];
const ENABLE = { verb: 'enable', name: 'Enable', what: 'What was ordered is taken back: its checks decide again.' };

export function Orders({ data, onDone }) {
  const group = useRef(null);
  const [asked, setAsked] = useState(null);
  const leave = () => {
    setAsked(null);
    group.current.querySelector('button').focus();
  };
  const button = (order) => html`<button type="button" class="ghost" key=${order.verb} data-order=${order.verb} title=${order.what}
    aria-expanded=${asked?.verb === order.verb} onClick=${() => setAsked(order)}>${order.name}</button>`;
  return html`<div class="orders">
    <div class="choices" role="group" aria-label="Orders" ref=${group}>${ORDERS.map(button)}${data.order && button(ENABLE)}</div>
    ${asked && html`<${Ask} key=${asked.verb} order=${asked} data=${data} onCancel=${leave}
      onDone=${(answer) => {
        leave();
        onDone(answer);
      }} />`}
  </div>`;
}

/** Why and for how long; once more for the last usable backend of a pool. */
function Ask({ order, data, onDone, onCancel }) {
  const first = useRef(null);
  const [why, setWhy] = useState('');
  const [time, setTime] = useState('');
  const [problem, setProblem] = useState(null);
  useLayoutEffect(() => first.current.focus(), []);
  const send = async (event) => {
    event.preventDefault();
    const body = { who: 'page', why: why.trim() };
    if (time.trim()) body.until = time.trim();
    if (problem?.last) body.confirm = true;
    try {
      const response = await fetch(`/api/v1/pools/${encodeURIComponent(data.pool)}/backends/${encodeURIComponent(data.addr)}/${order.verb}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (response.ok) onDone(answer);
      else setProblem({ text: response.status === 409 ? 'It is the last usable backend of its pool: nothing would answer any more.' : answer.detail, last: response.status === 409 });
    } catch {
      setProblem({ text: 'the balancer does not answer', last: false });
    }
  };
  return html`<form class="ask" onSubmit=${send} aria-label=${order.name}>
    <p class="hint">${order.what}</p>
    <label>why <input ref=${first} type="text" maxlength="200" autocomplete="off" value=${why} onInput=${(event) => setWhy(event.target.value)} /></label>
    ${order !== ENABLE && html`<label>for <input type="text" class="time" placeholder="until enabled" title="such as 30s, 10m or 2h" autocomplete="off" spellcheck="false" value=${time}
      onInput=${(event) => setTime(event.target.value)} /></label>`}
    <span class="choices"><button type="submit" class=${`ghost${problem?.last ? ' check-bad' : ''}`}>${problem?.last ? `${order.name} all the same` : order.name}</button>
      <button type="button" class="ghost" onClick=${onCancel}>Cancel</button></span>
    ${problem && html`<p class="check-bad" role="alert">${problem.text}</p>`}
  </form>`;
}
