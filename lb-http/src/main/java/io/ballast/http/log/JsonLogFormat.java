package io.ballast.http.log;

import static io.ballast.http.log.JsonFields.millis;
import static io.ballast.http.log.JsonFields.number;
import static io.ballast.http.log.JsonFields.text;

/** Formats an exchange as one JSON object per line, with all fields; durations are in milliseconds. */
final class JsonLogFormat implements LogFormat {

    /** The HTTP version as a JSON value, indexed by the version plus 1; a version of -1 means unknown. */
    private static final String[] VERSIONS = {"null", "\"HTTP/1.0\"", "\"HTTP/1.1\"", "\"HTTP/2.0\"", "\"HTTP/3.0\""};

    private final JsonFields fields;

    JsonLogFormat(String listener) {
        this.fields = new JsonFields(listener);
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        fields.begin(epochMillis, target);
        text("client", AccessLogField.CLIENT, entry, target);
        text("request_id", AccessLogField.REQUEST_ID, entry, target);
        text("method", AccessLogField.METHOD, entry, target);
        text("host", AccessLogField.HOST, entry, target);
        text("path", AccessLogField.TARGET, entry, target);
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
        text("backend", AccessLogField.BACKEND, entry, target);
        number("attempts", entry.attempts(), target);
        text("end", AccessLogField.END, entry, target);
        text("reason", AccessLogField.REASON, entry, target);
        text("upgrade", AccessLogField.UPGRADE, entry, target);
        text("tls_version", AccessLogField.TLS_VERSION, entry, target);
        text("tls_cipher", AccessLogField.TLS_CIPHER, entry, target);
        text("tls_server_name", AccessLogField.TLS_SERVER_NAME, entry, target);
        text("tls_alpn", AccessLogField.TLS_ALPN, entry, target);
        text("tls_client_subject", AccessLogField.TLS_CLIENT, entry, target);
        text("policy", AccessLogField.POLICY, entry, target);
        text("dry_run", AccessLogField.DRY_RUN, entry, target);
        text("identity", AccessLogField.IDENTITY, entry, target);
        text("trace_id", AccessLogField.TRACE_ID, entry, target);
        text("user_agent", AccessLogField.USER_AGENT, entry, target);
        text("referer", AccessLogField.REFERER, entry, target);
        target.ascii("}\n");
    }
}
