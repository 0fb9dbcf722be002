// Names of hosts and files, which may be longer than their place.
import { html } from './vendor.js';

/** A name that a line may break after a dot, a slash or an @, and inside a label only where nothing else helps. */
export function breakable(name) {
  return name.split(/(?<=[./@])/).flatMap((part, index) => (index === 0 ? [part] : [html`<wbr />`, part]));
}
