// The active configuration without secrets, and the changes of the last reload.
import { html, useState } from './vendor.js';
import { revision } from './store.js';
import { count, fullTime } from './format.js';
import { useLoaded } from './loaded.js';
import { addPanel } from './panels.js';

/** The page shows the start of a longer configuration, with a link to all of it. */
const MAX_CHARACTERS = 200000;
const PATH = '/api/v1/config?format=yaml';
const asText = (response) => response.text();
const asJson = (response) => response.json();
const NONE = {};

function Config() {
  void revision.value;
  const [open, setOpen] = useState(false);
  const text = useLoaded(PATH, open, asText);
  const reload = useLoaded('/api/v1/reload', open, asJson, NONE);
  return html`<section class="card config" id="config" tabindex="-1" aria-labelledby="config-title">
    <h2 id="config-title"><button type="button" class="fold" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M4 2l4.5 4L4 10" class="outline" /></svg>Configuration</button></h2>
    ${open && html`<${LastReload} reload=${reload} />`}
    ${open && text !== null && html`<pre class="yaml" tabindex="0" role="region" aria-label="Expanded configuration">${text.slice(0, MAX_CHARACTERS)}</pre>
      <p class="hint">${text.length > MAX_CHARACTERS && `These are the first ${count(MAX_CHARACTERS)} characters. `}Expanded, with every default; secrets are hidden.
        As <a href=${PATH}>YAML</a> · <a href="/api/v1/config">JSON</a></p>`}
  </section>`;
}

function LastReload({ reload }) {
  if (reload === null) return null;
  if (reload === NONE) return html`<p class="hint">No reload since the start.</p>`;
  const { outcome, who, time, changes } = reload;
  return html`<div class="changes">
    <p>Last reload: <b>${outcome}</b>, ${fullTime(new Date(time))}, requested by ${who}</p>
    ${changes.length > 0 && html`<ul>${changes.map((line, index) => html`<li key=${index}>${line}</li>`)}</ul>`}
  </div>`;
}

addPanel({ id: 'config', name: 'Config', order: 10, place: () => 'bottom', Panel: Config });
