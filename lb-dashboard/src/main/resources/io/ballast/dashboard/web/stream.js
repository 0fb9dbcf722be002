// Follows the stream of server-sent events, and comes back when it breaks.
import { applySnapshot, applyTick, applyTimeline, connection } from './store.js';
import { refresh } from './session.js';

const SILENCE_MS = 5000;
const RETRY_MS = 2000;

export function follow() {
  let source = null;
  let lastHeard = 0;
  let synced = false;

  const hear = (apply) => (event) => {
    lastHeard = Date.now();
    apply(JSON.parse(event.data));
    connection.value = 'live';
  };

  let retry;
  const connect = () => {
    source?.close();
    synced = false;
    lastHeard = Date.now();
    source = new EventSource('/api/v1/stream');
    source.addEventListener('snapshot', hear((message) => {
      synced = true;
      applySnapshot(message);
    }));
    source.addEventListener('tick', hear((message) => synced && applyTick(message)));
    source.addEventListener('timeline', hear((message) => synced && applyTimeline(message)));
    source.addEventListener('error', () => {
      connection.value = 'reconnecting';
      refresh(); // The session may be what has ended.
      // Browsers wait longer and longer by themselves, and not at all after a refusal: we try again at a steady pace.
      source.close();
      clearTimeout(retry);
      retry = setTimeout(connect, RETRY_MS);
    });
  };

  connect();
  setInterval(() => {
    if (Date.now() - lastHeard < SILENCE_MS) return;
    connection.value = 'reconnecting';
    // Open but silent, or connecting for ever. When it is closed, a retry is on its way.
    if (source.readyState !== EventSource.CLOSED) connect();
  }, 1000);
}
