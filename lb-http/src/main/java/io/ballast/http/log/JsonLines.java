package io.ballast.http.log;

import static io.ballast.http.log.JsonFields.millis;
import static io.ballast.http.log.JsonFields.number;
import static io.ballast.http.log.JsonFields.text;

/** Formats an exchange as one JSON object per line, with all fields; durations are in milliseconds. */
final class JsonLines implements LineFormat {

    /** Indexed by the version plus 1; a version of -1 means unknown. */
    private static final String[] VERSIONS = {"null", "\"HTTP/1.0\"", "\"HTTP/1.1\"", "\"HTTP/2.0\""};

    private final JsonFields fields;

    JsonLines(String listener) {
        this.fields = new JsonFields(listener);
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        fields.begin(epochMillis, target);
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
}
