// Explains the answer of a DNS service, optionally for a client's address.
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor.js';
import { useDebounced } from './debounce.js';

export function Explain({ name, types, onClose }) {
  const dialog = useRef(null);
  const [type, setType] = useState(types[0]);
  // The typed text is state, so that a response that arrives while the user types does not reset the field.
  const [typed, setTyped] = useState('');
  const [from, setFrom] = useDebounced(typed);
  const [answer, setAnswer] = useState(null);
  useLayoutEffect(() => dialog.current.showModal(), []);
  const client = from.trim();
  useEffect(() => {
    let open = true;
    const load = async () => {
      const parameters = new URLSearchParams({ name, type });
      if (client) parameters.set('from', client);
      try {
        const response = await fetch(`/api/v1/dns/explain?${parameters}`);
        const body = await response.json();
        if (open) setAnswer(response.ok ? body : { problem: body.detail });
      } catch {
        if (open) setAnswer({ problem: 'the balancer does not respond' });
      }
    };
    load();
    return () => {
      open = false;
    };
  }, [name, type, client]);
  return html`<dialog ref=${dialog} onClose=${onClose} onClick=${(e) => e.target === dialog.current && dialog.current.close()} aria-labelledby="explain-title">
    <div class="detail explain">
      <div class="detail-head"><h2 id="explain-title">${name}</h2>
        <button type="button" class="ghost" onClick=${() => dialog.current.close()}>Close</button></div>
      <div class="question">
        <span class="ranges" role="group" aria-label="Type">${types.map((each) => html`<button type="button" class="ghost" aria-pressed=${each === type}
          onClick=${() => setType(each)}>${each}</button>`)}</span>
        <label>client address <input type="text" inputmode="url" placeholder="any address" spellcheck="false" autocomplete="off" value=${typed}
          onInput=${(event) => setTyped(event.target.value)} onKeyDown=${(event) => event.key === 'Enter' && setFrom(event.target.value)} /></label>
      </div>
      ${answer?.problem && html`<p class="check-bad">${answer.problem}</p>`}
      ${answer && !answer.problem && html`<${Answer} answer=${answer} />`}
    </div>
  </dialog>`;
}

function Answer({ answer }) {
  return html`<dl class="reasons">
      <dt>Answer</dt><dd>${answer.answer.length > 0 ? answer.answer.map((address) => html`<span class="address">${address}</span> `) : html`<b class="check-bad">nothing</b>`}</dd>
      <dt>Decision</dt><dd>${answer.decision}</dd>
      <dt>Client</dt><dd>${answer.client}</dd>
      <dt>TTL</dt><dd>${answer.ttl_seconds} s, ${answer.ttl_reason}</dd>
    </dl>
    <ul class="tree"><${Target} target=${answer.target} /></ul>`;
}

/** Renders a candidate of a service with its nested candidates; candidates in use are marked. */
function Target({ target }) {
  return html`<li class=${target.used ? 'used' : ''}>
    <span>${target.used && html`<i class="unseen">used: </i>`}${target.role && `${target.role}: `}<b>${target.rule}</b> (${target.state})${target.reason && `: ${target.reason}`}</span>
    <ul>${(target.targets ?? []).map((inside) => html`<${Target} target=${inside} />`)}
      ${(target.records ?? []).map((record) => html`<li key=${record.data} class=${record.used ? 'used' : ''}>
        <span>${record.used && html`<i class="unseen">used: </i>`}<span class="address">${record.data}</span> ${record.state}: ${record.condition}</span></li>`)}
      ${(target.backends ?? []).map((backend) => html`<li key=${backend.address} class=${backend.used ? 'used' : ''}>
        <span>${backend.used && html`<i class="unseen">used: </i>`}<span class="address">${backend.address}</span> ${backend.state}: ${backend.reason}</span></li>`)}</ul>
  </li>`;
}
