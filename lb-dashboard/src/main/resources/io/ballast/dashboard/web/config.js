// The configuration in force, without secrets, and what the last reload changed.
import { html, useState } from './vendor.js';
import { revision } from './store.js';
import { count, fullTime } from './format.js';
import { useLoaded } from './loaded.js';

/** A longer configuration is shown up to here: the rest is one click away. */
const MOST_CHARACTERS = 200000;
const PATH = '/api/v1/config?format=yaml';
const asText = (response) => response.text();
const asJson = (response) => response.json();
const NONE = {};

export function Config() {
  void revision.value;
  const [open, setOpen] = useState(false);
  const text = useLoaded(PATH, open, asText);
  const reload = useLoaded('/api/v1/reload', open, asJson, NONE);
  return html`<section class="card config" id="config" tabindex="-1" aria-labelledby="config-title">
    <h2 id="config-title"><button type="button" class="fold" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M4 2l4.5 4L4 10" class="outline" /></svg>Configuration</button></h2>
    ${open && html`<${LastReload} reload=${reload} />`}
    ${open && text !== null && html`<pre class="yaml" tabindex="0" role="region" aria-label="Configuration in long form">${text.slice(0, MOST_CHARACTERS)}</pre>
      <p class="hint">${text.length > MOST_CHARACTERS && `These are the first ${count(MOST_CHARACTERS)} characters. `}In long form with every default; secrets are hidden.
        As <a href=${PATH}>YAML</a> · <a href="/api/v1/config">JSON</a></p>`}
  </section>`;
}

function LastReload({ reload }) {
  if (reload === null) return null;
  if (reload === NONE) return html`<p class="hint">There was no reload since the start.</p>`;
  const { outcome, who, time, changes } = reload;
  return html`<div class="changes">
    <p>Last reload: <b>${outcome}</b>, ${fullTime(new Date(time))}, asked for by ${who}</p>
    ${changes.length > 0 && html`<ul>${changes.map((line, index) => html`<li key=${index}>${line}</li>`)}</ul>`}
  </div>`;
}
