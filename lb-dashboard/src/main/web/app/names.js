// Long names of hosts and files.
import { html } from './vendor.js';

/** Allows a line break after a dot, a slash or an @; inside a label the browser breaks only if nothing else helps. */
export function breakable(name) {
  return name.split(/(?<=[./@])/).flatMap((part, index) => (index === 0 ? [part] : [html`<wbr />`, part]));
}
