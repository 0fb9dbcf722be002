package io.ballast.http.log;

import static io.ballast.http.log.JsonFields.millis;
import static io.ballast.http.log.JsonFields.number;
import static io.ballast.http.log.JsonFields.text;

/** Formats a session as one JSON object per line, with all fields. */
final class SessionJsonLines implements LineFormat {

    private final JsonFields fields;
    private final String protocol;

    /** @param protocol {@code tcp} or {@code udp} */
    SessionJsonLines(String listener, String protocol) {
        this.fields = new JsonFields(listener);
        this.protocol = protocol;
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        fields.begin(epochMillis, target);
        target.ascii(",\"protocol\":\"").ascii(protocol).append((byte) '"');
        text("client", LoggedField.CLIENT, entry, target);
        target.ascii(",\"client_port\":").ascii(entry.clientPort() == 0 ? "null" : "" + entry.clientPort());
        text("pool", LoggedField.POOL, entry, target);
        text("backend", LoggedField.BACKEND, entry, target);
        number("attempts", entry.attempts(), target);
        number("bytes_in", entry.bytesIn(), target);
        number("bytes_out", entry.bytesOut(), target);
        millis("queue_ms", entry.queueNanos(), target);
        millis("connect_ms", entry.connectNanos(), target);
        millis("total_ms", entry.totalNanos(), target);
        text("end", LoggedField.END, entry, target);
        text("reason", LoggedField.REASON, entry, target);
        text("tls_version", LoggedField.TLS_VERSION, entry, target);
        text("tls_cipher", LoggedField.TLS_CIPHER, entry, target);
        text("tls_server_name", LoggedField.TLS_SERVER_NAME, entry, target);
        text("tls_alpn", LoggedField.TLS_ALPN, entry, target);
        text("tls_client_subject", LoggedField.TLS_CLIENT, entry, target);
        target.ascii("}\n");
    }
}
