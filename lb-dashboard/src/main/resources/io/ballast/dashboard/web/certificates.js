// Which certificates clients are shown, those that expire first at the top.
import { html } from './vendor.js';
import { state } from './store.js';
import { count, fullTime } from './format.js';

/** As on the server: with fewer days than this, a certificate should have been renewed by now. */
const EXPIRING_DAYS = 14;

export function Certificates() {
  const { certificates } = state;
  const rest = certificates.count - certificates.first.length;
  const bad = [
    certificates.expired > 0 && `${count(certificates.expired)} expired`,
    certificates.expiring > 0 && `${count(certificates.expiring)} with less than ${EXPIRING_DAYS} days left`,
  ].filter(Boolean);
  return html`<section class="card certificates" id="certificates" tabindex="-1" aria-labelledby="certificates-title">
    <h2 id="certificates-title">Certificates <span class=${`meta${certificates.expired > 0 ? ' check-bad' : bad.length > 0 ? ' check-warn' : ''}`}>${bad.join(', ') || count(certificates.count)}</span></h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Certificates"><table>
      <caption class="unseen">Certificates, those that expire first at the top</caption>
      <thead><tr><th scope="col">Names</th><th scope="col" class="number">Left</th><th scope="col" class="from-s">Issuer</th><th scope="col" class="from-s">Listener</th></tr></thead>
      <tbody>${certificates.first.map((each) => html`<${Certificate} key=${`${each.listener} ${each.file}`} certificate=${each} />`)}</tbody>
    </table></div>
    ${rest > 0 && html`<p class="hint rest">And ${count(rest)} more that expire later; all of them are in <a href="/stats">/stats</a>.</p>`}
  </section>`;
}

function Certificate({ certificate }) {
  const { names, more_names: more, days_left: days } = certificate;
  const condition = days < 0 ? 'is-bad' : days < EXPIRING_DAYS ? 'is-warn' : '';
  const left = days < 0 ? 'expired' : days === 1 ? '1 day' : `${count(days)} days`;
  return html`<tr class=${condition} data-certificate=${certificate.file}>
    <th scope="row" title=${certificate.file}>${names.length > 0 ? names.map((name) => html`<span key=${name}>${name}</span> `) : certificate.file}${more > 0 && html`<small>and ${count(more)} more</small>`}</th>
    <td class="number left" title=${`until ${fullTime(new Date(certificate.not_after))}`}>${left}</td>
    <td class="from-s issuer">${issuerName(certificate.issuer)}</td>
    <td class="from-s">${certificate.listener}</td>
  </tr>`;
}

/** The common name of "CN=R11,O=Let's Encrypt,C=US", which says enough; all of it where there is none. */
function issuerName(issuer) {
  return /(?:^|,)\s*CN=((?:\\.|[^,])+)/i.exec(issuer)?.[1].replace(/\\(.)/g, '$1') ?? issuer;
}
