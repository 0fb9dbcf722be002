package io.ballast.http.log;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The Common Log Format, {@code client - identity [time] "request line" status bytes}, where {@code bytes} is the
 * size of the body. The combined format appends {@code "referrer" "user agent"}, and optionally the TLS
 * parameters {@code version cipher server-name protocol}. Unknown values are written as a hyphen.
 */
final class CommonLogFormat implements LogFormat {

    /** The version as logged, indexed by the HTTP version plus 1; a version of -1 means unknown. */
    private static final String[] VERSIONS = {"", " HTTP/1.0", " HTTP/1.1", " HTTP/2.0", " HTTP/3.0"};

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "'['dd/MMM/yyyy:HH:mm:ss Z']'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final boolean combined;
    private final boolean tls;
    private long second = Long.MIN_VALUE;
    private String timestamp = "";

    private CommonLogFormat(boolean combined, boolean tls) {
        this.combined = combined;
        this.tls = tls;
    }

    static CommonLogFormat common() {
        return new CommonLogFormat(/* combined= */ false, /* tls= */ false);
    }

    static CommonLogFormat combined() {
        return new CommonLogFormat(/* combined= */ true, /* tls= */ false);
    }

    static CommonLogFormat combinedTls() {
        return new CommonLogFormat(/* combined= */ true, /* tls= */ true);
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine target) {
        TextField.append(AccessLogField.CLIENT, entry, target);
        target.ascii(" - ");
        identity(entry, target);
        target.append((byte) ' ').ascii(time(epochMillis)).ascii(" \"");
        if (entry.length(AccessLogField.METHOD) > 0) {
            TextField.append(AccessLogField.METHOD, entry, target);
            target.append((byte) ' ');
            TextField.append(AccessLogField.TARGET, entry, target);
            target.ascii(VERSIONS[entry.version() + 1]);
        } else {
            target.append((byte) '-');
        }
        target.ascii("\" ").ascii(entry.status() == 0 ? "-" : Integer.toString(entry.status()));
        target.append((byte) ' ').ascii(entry.bodyBytesOut() == 0 ? "-" : Long.toString(entry.bodyBytesOut()));
        if (combined) {
            target.ascii(" \"");
            TextField.append(AccessLogField.REFERER, entry, target);
            target.ascii("\" \"");
            TextField.append(AccessLogField.USER_AGENT, entry, target);
            target.append((byte) '"');
        }
        if (tls) {
            TextField.appendAfterSpace(AccessLogField.TLS_VERSION, entry, target);
            TextField.appendAfterSpace(AccessLogField.TLS_CIPHER, entry, target);
            TextField.appendAfterSpace(AccessLogField.TLS_SERVER_NAME, entry, target);
            TextField.appendAfterSpace(AccessLogField.TLS_ALPN, entry, target);
        }
        target.append((byte) '\n');
    }

    private String time(long epochMillis) {
        long now = Math.floorDiv(epochMillis, 1000L);
        if (now != second) {
            second = now;
            timestamp = TIME.format(Instant.ofEpochSecond(now));
        }
        return timestamp;
    }

    /** Appends the identity, in which spaces are escaped, because a space ends this field. */
    private static void identity(LogRecord entry, LogLine target) {
        int from = entry.offset(AccessLogField.IDENTITY);
        int end = from + entry.length(AccessLogField.IDENTITY);
        if (from == end) {
            target.append((byte) '-');
        }
        for (int i = from; i < end; i++) {
            if (entry.bytes()[i] == ' ') {
                target.ascii("\\x20");
            } else {
                LogEscaping.QUOTED.append(entry.bytes(), i, /* length= */ 1, target);
            }
        }
    }
}
