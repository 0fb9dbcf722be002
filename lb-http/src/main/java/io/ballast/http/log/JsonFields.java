package io.ballast.http.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Writes the fields of a line that is one JSON object. Durations are in milliseconds. Confined to the log writer
 * thread.
 */
final class JsonFields {

    private static final long MILLIS_OF_SECOND = 1000;

    private final byte[] listener;
    private long second = Long.MIN_VALUE;
    private String timestamp = "";

    JsonFields(String listener) {
        this.listener = listener.getBytes(StandardCharsets.UTF_8);
    }

    /** Begins an object with the time and the name of the listener. */
    void begin(long epochMillis, LogLine target) {
        time(epochMillis, target);
        target.ascii(",\"listener\":\"");
        LogEscaping.JSON.append(listener, 0, listener.length, target);
        target.append((byte) '"');
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

    static void text(String name, AccessLogField field, LogRecord entry, LogLine target) {
        target.ascii(",\"").ascii(name).ascii("\":");
        if (entry.length(field) == 0) {
            target.ascii("null");
            return;
        }
        target.append((byte) '"');
        LogEscaping.JSON.append(entry.bytes(), entry.offset(field), entry.length(field), target);
        if (entry.isTruncated(field)) {
            target.append(AccessLogField.TRUNCATION_MARK, 0, AccessLogField.TRUNCATION_MARK.length);
        }
        target.append((byte) '"');
    }

    static void number(String name, long value, LogLine target) {
        target.ascii(",\"").ascii(name).ascii("\":").number(value);
    }

    static void millis(String name, long nanos, LogLine target) {
        target.ascii(",\"").ascii(name).ascii("\":");
        if (nanos < 0) {
            target.ascii("null");
            return;
        }
        long micros = nanos / 1000;
        target.number(micros / 1000).append((byte) '.').padded(micros % 1000, 3);
    }
}
