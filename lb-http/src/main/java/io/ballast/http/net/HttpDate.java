package io.ballast.http.net;

import io.ballast.http.head.HttpTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The current time in the format of a {@code Date} header (RFC 9110 section 5.6.7), formatted once a second.
 * The time is also available in RFC 3339 format, which is formatted on request and at most once a second.
 * Event-loop confined.
 */
final class HttpDate {

    private long second;
    private byte[] bytes = new byte[0];
    private long timestampSecond = -1;
    private byte[] timestamp = new byte[0];

    HttpDate() {
        refresh(System.currentTimeMillis());
    }

    byte[] bytes() {
        return bytes;
    }

    byte[] rfc3339() {
        return rfc3339(second);
    }

    /** Formats a time, in seconds since 1970, in RFC 3339 format. The last result is cached. */
    byte[] rfc3339(long ofSecond) {
        if (timestampSecond != ofSecond) {
            timestampSecond = ofSecond;
            timestamp = Instant.ofEpochSecond(ofSecond).toString().getBytes(StandardCharsets.US_ASCII);
        }
        return timestamp;
    }

    void refresh(long nowMillis) {
        long current = nowMillis / 1000;
        if (current != second) {
            second = current;
            bytes = HttpTime.format(current * 1000).getBytes(StandardCharsets.US_ASCII);
        }
    }
}
