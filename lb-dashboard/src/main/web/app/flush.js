// Flushes the DNS cache after a confirmation.
import { html, useLayoutEffect, useRef, useState } from './vendor.js';
import { count } from './format.js';
import { post, session } from './session.js';

export function Flush({ cache }) {
  const button = useRef(null);
  const [open, setOpen] = useState(false);
  const [message, setMessage] = useState(null);
  if (session.value.role === 'viewer' || cache.max_bytes === 0) return null;
  const leave = (text) => {
    setOpen(false);
    setMessage(text);
    button.current?.focus();
  };
  return html`<div class="commands part">
    <span class="choices"><button type="button" class="ghost" ref=${button} aria-expanded=${open} data-command="flush" onClick=${() => setOpen(!open)}>Flush the cache</button>
      <span role="status" class="hint">${message}</span></span>
    ${open && html`<${FlushForm} onDone=${leave} onCancel=${() => leave(null)} />`}
  </div>`;
}

function FlushForm({ onDone, onCancel }) {
  const first = useRef(null);
  const [name, setName] = useState('');
  const [below, setBelow] = useState(false);
  const [problem, setProblem] = useState(null);
  useLayoutEffect(() => first.current.focus(), []);
  const [busy, setBusy] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const parameters = new URLSearchParams(name.trim() && { name: name.trim(), below });
    try {
      const response = await post(`/api/v1/dns/cache/flush?${parameters}`, {});
      const answer = await response.json();
      if (response.ok) onDone(`${count(answer.forgotten)} answers removed`);
      else setProblem(answer.detail);
    } catch {
      setProblem('the balancer does not respond');
    }
    setBusy(false);
  };
  return html`<form class="ask" onSubmit=${send} aria-label="Flush the cache">
    <p class="hint">Later queries for removed answers go to the resolvers again.</p>
    <label>name <input ref=${first} type="text" placeholder="all names" autocomplete="off" spellcheck="false" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
    <label><input type="checkbox" checked=${below} onChange=${(event) => setBelow(event.target.checked)} /> and its subdomains</label>
    <span class="choices"><button type="submit" class="ghost">Flush</button><button type="button" class="ghost" onClick=${onCancel}>Cancel</button></span>
    ${problem && html`<p class="check-bad" role="alert">${problem}</p>`}
  </form>`;
}
