// Name, version, navigation, status, connection state and theme.
import { html, useState } from './vendor.js';
import { connection, revision, state } from './store.js';
import { status } from './status.js';
import { duration } from './format.js';
import { logOut, session } from './session.js';
import { visiblePanels } from './panels.js';

const THEMES = ['auto', 'light', 'dark'];
const CONNECTION_TEXT = { connecting: 'connecting…', loading: 'loading…', live: 'live', reconnecting: 'reconnecting…' };

export function Header() {
  const live = connection.value;
  void revision.value; // The values next to the connection state come from the mutable state.
  return html`<header class="top">
    <a class="skip" href="#pools">Skip to the backends</a>
    <div class="brand">
      <img src="assets/favicon.svg" alt="" width="26" height="26" />
      <h1>Ballast</h1>
      ${state.process && html`<span class="version" title="version and uptime">
        ${state.process.version}<span class="wide-only"> · up ${duration(state.process.uptime_seconds)}</span></span>`}
    </div>
    ${state.overall && html`<${Parts} />`}
    <div class="top-right">
      ${state.process && html`<${Condition} />`}
      <span class=${`pill stream-${live}`} id="connection" role="status"><i class="dot" aria-hidden="true"></i>${CONNECTION_TEXT[live]}</span>
      <${ThemeToggle} />
      ${session.value.name && html`<span class="who" title=${`logged in as ${session.value.role}`}>${session.value.name}</span>
        <button type="button" class="ghost" id="log-out" onClick=${logOut}>Log out</button>`}
    </div>
  </header>`;
}

function Parts() {
  return html`<nav class="parts" aria-label="Parts of this page">
    ${visiblePanels().map(({ id, name }) => html`<a key=${id} href=${`#${id}`}>${name}</a>`)}
  </nav>`;
}

function Condition() {
  const { level, text } = status();
  return html`<span class=${`pill ${level}`} id="ready" title=${text}>${text}</span>`;
}

function ThemeToggle() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme || 'auto');
  const next = () => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    if (chosen === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    try {
      localStorage.setItem('ballast-theme', chosen);
    } catch {
      // Storage is disabled: the choice lasts until the page is closed.
    }
    window.dispatchEvent(new Event('ballast-theme'));
    setTheme(chosen);
  };
  return html`<button type="button" class="ghost" onClick=${next} aria-label=${`Theme: ${theme}. Change the theme`}>
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.25" class="outline" /><path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" class="solid" /></svg>
    <span class="wide-only">${theme}</span>
  </button>`;
}
