// Reads the event stream and reconnects after a failure.
//
// It uses fetch instead of EventSource, which does not report the bytes of an incomplete message: on a slow connection,
// a snapshot that is still arriving would look like silence.
import { applySnapshot, applyTick, applyTimeline, connection, received } from './store.js';
import { refresh } from './session.js';

/** Maximum time between two reads. */
const SILENCE_MS = 5000;
/** The first byte may take longer: on a slow connection, the page's own files arrive first. */
const CONNECT_MS = 15000;
const RETRY_MS = 2000;
const APPLY = { snapshot: applySnapshot, tick: applyTick, timeline: applyTimeline };

export function follow() {
  let lastId = null;
  let attempt = null;

  const connect = () => {
    const current = { abort: new AbortController(), heard: Date.now(), patience: CONNECT_MS };
    attempt = current;
    received.value = 0;
    read(current).catch(() => {}).finally(() => {
      if (attempt !== current) return;
      attempt = null;
      connection.value = 'reconnecting';
      refresh(); // The session may have expired.
      setTimeout(() => attempt ?? connect(), RETRY_MS);
    });
  };

  const read = async (current) => {
    const headers = lastId === null ? {} : { 'Last-Event-ID': lastId };
    const response = await fetch('/api/v1/stream', { headers, cache: 'no-store', signal: current.abort.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    current.patience = SILENCE_MS;
    current.heard = Date.now();
    let synced = false;
    const messages = new Messages((event, id, data) => {
      if (event === 'snapshot') synced = true;
      if (!synced || !APPLY[event] || attempt !== current) return;
      APPLY[event](JSON.parse(data));
      if (id !== null) lastId = id;
      connection.value = 'live';
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      current.heard = Date.now();
      if (!synced) {
        received.value += value.length;
        if (connection.value === 'connecting') connection.value = 'loading';
      }
      messages.add(decoder.decode(value, { stream: true }));
    }
  };

  connect();
  setInterval(() => {
    if (attempt && Date.now() - attempt.heard >= attempt.patience) attempt.abort.abort();
  }, 1000);
}

/** Splits a stream into messages: https://html.spec.whatwg.org/multipage/server-sent-events.html */
class Messages {
  constructor(onMessage) {
    this.onMessage = onMessage;
    this.pieces = [];
    this.fields = {};
  }

  add(text) {
    let rest = text;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      this.pieces.push(rest.slice(0, end));
      rest = rest.slice(end + 1);
      this.line(this.pieces.join(''));
      this.pieces = [];
    }
    if (rest) this.pieces.push(rest);
  }

  line(text) {
    if (text === '') {
      const { event, id, data } = this.fields;
      this.fields = {};
      if (data !== undefined) this.onMessage(event, id ?? null, data);
      return;
    }
    const colon = text.indexOf(':');
    if (colon > 0) this.fields[text.slice(0, colon)] = text.slice(colon + 1).replace(/^ /, '');
  }
}
