// The certificates of the listeners, sorted by expiry.
import { html } from './vendor.js';
import { state } from './store.js';
import { breakable } from './names.js';
import { count, fullTime, timeLeft } from './format.js';
import { addPanel } from './panels.js';
import { Ordered } from './ordered.js';

/** Returns the seconds until a certificate expires; negative after the expiry. */
export const secondsLeft = (certificate) => (new Date(certificate.not_after) - state.time) / 1000;

/**
 * Returns the certificates that have expired or will expire within the configured warning time, the next to expire
 * first.
 */
export const expiringSoon = () => state.certificates.first.filter((each) => secondsLeft(each) < Math.max(0, state.certificates.warning_seconds));

function Certificates() {
  const { certificates } = state;
  const rest = certificates.count - certificates.first.length;
  const bad = [
    certificates.expired > 0 && `${count(certificates.expired)} expired`,
    certificates.expiring > 0 && `${count(certificates.expiring)} with less than ${timeLeft(certificates.warning_seconds)} left`,
  ].filter(Boolean);
  return html`<section class="card certificates" id="certificates" tabindex="-1" aria-labelledby="certificates-title">
    <h2 id="certificates-title">Certificates <span class=${`meta${certificates.expired > 0 ? ' check-bad' : bad.length > 0 ? ' check-warn' : ''}`}>${bad.join(', ') || count(certificates.count)}</span></h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Certificates"><table>
      <caption class="unseen">Certificates in the order of their expiry</caption>
      <thead><tr><th scope="col">Names</th><th scope="col" class="number">Expires in</th><th scope="col" class="from-s">Issuer</th><th scope="col" class="from-s">Listener</th></tr></thead>
      <tbody>${certificates.first.map((each) => html`<${Certificate} key=${`${each.listener} ${each.file}`} certificate=${each} />`)}</tbody>
    </table></div>
    <${Ordered} />
    ${rest > 0 && html`<p class="hint rest">And ${count(rest)} more that expire later; all of them are in <a href="/stats">/stats</a>.</p>`}
  </section>`;
}

function Certificate({ certificate }) {
  const { names, more_names: more } = certificate;
  const seconds = secondsLeft(certificate);
  const condition = seconds < 0 ? 'is-bad' : seconds < state.certificates.warning_seconds ? 'is-warn' : '';
  return html`<tr class=${condition} data-certificate=${certificate.file}>
    <th scope="row" title=${certificate.file}>${names.length > 0 ? names.map((name) => html`<span key=${name}>${breakable(name)}</span> `) : certificate.file}${more > 0 && html`<small>and ${count(more)} more</small>`}</th>
    <td class="number left" title=${`until ${fullTime(new Date(certificate.not_after))}`}>${timeLeft(seconds)}</td>
    <td class="from-s issuer">${issuerName(certificate.issuer)}</td>
    <td class="from-s">${certificate.listener}</td>
  </tr>`;
}

/** Returns the common name of an issuer such as "CN=R11,O=Let's Encrypt,C=US", or the whole text without one. */
function issuerName(issuer) {
  return /(?:^|,)\s*CN=((?:\\.|[^,])+)/i.exec(issuer)?.[1].replace(/\\(.)/g, '$1') ?? issuer;
}

addPanel({ id: 'certificates', name: 'Certificates', order: 40, place: () => state.certificates.count > 0 && 'left', Panel: Certificates });
