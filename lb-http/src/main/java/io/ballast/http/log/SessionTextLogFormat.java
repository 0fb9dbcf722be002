package io.ballast.http.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Formats a session as one line, modelled on HAProxy's {@code tcplog}:
 *
 * <pre>
 * client:port [time] listener pool/backend queue/connect/total bytes-in/bytes-out end tls-version server-name
 * </pre>
 *
 * Durations are in milliseconds. Unknown values are written as a hyphen.
 */
final class SessionTextLogFormat implements LogFormat {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("' ['dd/MMM/yyyy:HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final byte[] listener;
    private long second = Long.MIN_VALUE;
    private String timestamp = "";

    SessionTextLogFormat(String listener) {
        this.listener = listener.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        client(entry, target);
        time(epochMillis, target);
        LogEscaping.QUOTED.append(listener, 0, listener.length, target);
        TextField.appendAfterSpace(AccessLogField.POOL, entry, target);
        target.append((byte) '/');
        TextField.append(AccessLogField.BACKEND, entry, target);
        target.append((byte) ' ');
        millis(entry.queueNanos(), target);
        target.append((byte) '/');
        millis(entry.connectNanos(), target);
        target.append((byte) '/');
        millis(entry.totalNanos(), target);
        target.append((byte) ' ').number(entry.bytesIn()).append((byte) '/').number(entry.bytesOut());
        TextField.appendAfterSpace(AccessLogField.END, entry, target);
        TextField.appendAfterSpace(AccessLogField.TLS_VERSION, entry, target);
        TextField.appendAfterSpace(AccessLogField.TLS_SERVER_NAME, entry, target);
        target.append((byte) '\n');
    }

    /** Appends the client; an IPv6 address with a port is put in brackets. */
    private static void client(LogRecord entry, LogLine target) {
        int from = entry.offset(AccessLogField.CLIENT);
        boolean isPlain = true;
        for (int i = from; i < from + entry.length(AccessLogField.CLIENT); i++) {
            isPlain &= entry.bytes()[i] != ':';
        }
        boolean isIpv6 = !isPlain && entry.clientPort() != 0;
        if (isIpv6) {
            target.append((byte) '[');
        }
        TextField.append(AccessLogField.CLIENT, entry, target);
        if (isIpv6) {
            target.append((byte) ']');
        }
        if (entry.clientPort() != 0) {
            target.append((byte) ':').number(entry.clientPort());
        }
    }

    private void time(long epochMillis, LogLine target) {
        long millisOfSecond = TimeUnit.SECONDS.toMillis(1);
        long now = Math.floorDiv(epochMillis, millisOfSecond);
        if (now != second) {
            second = now;
            timestamp = TIME.format(Instant.ofEpochSecond(now));
        }
        target.ascii(timestamp)
                .append((byte) '.')
                .padded(Math.floorMod(epochMillis, millisOfSecond), 3)
                .ascii(" +0000] ");
    }

    private static void millis(long nanos, LogLine target) {
        target.ascii(nanos < 0 ? "-" : Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos)));
    }
}
