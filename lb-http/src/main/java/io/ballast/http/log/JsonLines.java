package io.ballast.http.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** One JSON object a line, with everything that is known; durations in milliseconds. */
final class JsonLines implements LineFormat {

    /** By the number of the version, which begins with -1 for one that is not known. */
    private static final String[] VERSIONS = {"null", "\"HTTP/1.0\"", "\"HTTP/1.1\"", "\"HTTP/2.0\""};

    private static final long MILLIS_OF_SECOND = 1000;

    private final byte[] listener;
    private long second = Long.MIN_VALUE;
    private String timestamp = "";

    JsonLines(String listener) {
        this.listener = listener.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        time(epochMillis, target);
        target.ascii(",\"listener\":\"");
        Escaping.JSON.append(listener, 0, listener.length, target);
        target.append((byte) '"');
        text("client", LoggedField.CLIENT, entry, target);
        text("request_id", LoggedField.REQUEST_ID, entry, target);
        text("method", LoggedField.METHOD, entry, target);
        text("host", LoggedField.HOST, entry, target);
        text("path", LoggedField.TARGET, entry, target);
        target.ascii(",\"protocol\":");
        target.ascii(VERSIONS[entry.version() + 1]);
        number("status", entry.status(), target);
        number("bytes_in", entry.bytesIn(), target);
        number("bytes_out", entry.bytesOut(), target);
        millis("head_ms", entry.headNanos(), target);
        millis("queue_ms", entry.queueNanos(), target);
        millis("connect_ms", entry.connectNanos(), target);
        millis("first_byte_ms", entry.firstByteNanos(), target);
        millis("total_ms", entry.totalNanos(), target);
        text("backend", LoggedField.BACKEND, entry, target);
        number("attempts", entry.attempts(), target);
        text("end", LoggedField.END, entry, target);
        text("reason", LoggedField.REASON, entry, target);
        text("upgrade", LoggedField.UPGRADE, entry, target);
        text("tls_version", LoggedField.TLS_VERSION, entry, target);
        text("tls_cipher", LoggedField.TLS_CIPHER, entry, target);
        text("tls_server_name", LoggedField.TLS_SERVER_NAME, entry, target);
        text("tls_alpn", LoggedField.TLS_ALPN, entry, target);
        text("tls_client_subject", LoggedField.TLS_CLIENT, entry, target);
        text("user_agent", LoggedField.USER_AGENT, entry, target);
        text("referer", LoggedField.REFERER, entry, target);
        target.ascii("}\n");
    }

    private void time(long epochMillis, LogLine target) {
        long now = Math.floorDiv(epochMillis, MILLIS_OF_SECOND);
        if (now != second) {
            second = now;
            String whole = Instant.ofEpochSecond(now).toString();
            timestamp = "{\"time\":\"" + whole.substring(0, whole.length() - 1);
        }
        target.ascii(timestamp)
                .append((byte) '.')
                .padded(Math.floorMod(epochMillis, MILLIS_OF_SECOND), 3)
                .ascii("Z\"");
    }

    private static void text(String name, LoggedField field, LogRecord entry, LogLine target) {
        target.ascii(",\"").ascii(name).ascii("\":");
        if (entry.length(field) == 0) {
            target.ascii("null");
            return;
        }
        target.append((byte) '"');
        Escaping.JSON.append(entry.bytes(), entry.offset(field), entry.length(field), target);
        if (entry.isCut(field)) {
            target.append(LoggedField.CUT, 0, LoggedField.CUT.length);
        }
        target.append((byte) '"');
    }

    private static void number(String name, long value, LogLine target) {
        target.ascii(",\"").ascii(name).ascii("\":").number(value);
    }

    private static void millis(String name, long nanos, LogLine target) {
        target.ascii(",\"").ascii(name).ascii("\":");
        if (nanos < 0) {
            target.ascii("null");
            return;
        }
        long micros = nanos / 1000;
        target.number(micros / 1000).append((byte) '.').padded(micros % 1000, 3);
    }
}
