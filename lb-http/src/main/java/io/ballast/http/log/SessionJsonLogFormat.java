package io.ballast.http.log;

import static io.ballast.http.log.JsonFields.millis;
import static io.ballast.http.log.JsonFields.number;
import static io.ballast.http.log.JsonFields.text;

/** Formats a session as one JSON object per line, with all fields. */
final class SessionJsonLogFormat implements LogFormat {

    private final JsonFields fields;
    private final String protocol;

    /** @param protocol {@code tcp} or {@code udp} */
    SessionJsonLogFormat(String listener, String protocol) {
        this.fields = new JsonFields(listener);
        this.protocol = protocol;
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        fields.begin(epochMillis, target);
        target.ascii(",\"protocol\":\"").ascii(protocol).append((byte) '"');
        text("client", AccessLogField.CLIENT, entry, target);
        target.ascii(",\"client_port\":").ascii(entry.clientPort() == 0 ? "null" : "" + entry.clientPort());
        text("pool", AccessLogField.POOL, entry, target);
        text("backend", AccessLogField.BACKEND, entry, target);
        number("attempts", entry.attempts(), target);
        number("bytes_in", entry.bytesIn(), target);
        number("bytes_out", entry.bytesOut(), target);
        millis("queue_ms", entry.queueNanos(), target);
        millis("connect_ms", entry.connectNanos(), target);
        millis("total_ms", entry.totalNanos(), target);
        text("end", AccessLogField.END, entry, target);
        text("reason", AccessLogField.REASON, entry, target);
        text("tls_version", AccessLogField.TLS_VERSION, entry, target);
        text("tls_cipher", AccessLogField.TLS_CIPHER, entry, target);
        text("tls_server_name", AccessLogField.TLS_SERVER_NAME, entry, target);
        text("tls_alpn", AccessLogField.TLS_ALPN, entry, target);
        text("tls_client_subject", AccessLogField.TLS_CLIENT, entry, target);
        target.ascii("}\n");
    }
}
