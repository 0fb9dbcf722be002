package io.ballast.policy.rate;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig.Headers;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Appends header lines that tell the client how many requests remain. With several rates, they describe the rate with
 * the fewest remaining requests. Immutable; allocates nothing.
 */
final class RateHeaders {

    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Headers form;
    private final List<Rate> rates;
    private final RateWindow[] windows;
    private final String policies;

    /** @param form not {@link Headers#NONE} */
    RateHeaders(Headers form, List<Rate> rates, RateWindow[] windows) {
        this.form = form;
        this.rates = rates;
        this.windows = windows;
        this.policies = policies(rates);
    }

    /** The names of the headers. */
    static List<String> names(Headers form) {
        return switch (form) {
            case NONE -> List.of();
            case RATELIMIT -> List.of("RateLimit-Policy", "RateLimit");
            case X_RATELIMIT -> List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
        };
    }

    private static String policies(List<Rate> rates) {
        StringBuilder text = new StringBuilder("RateLimit-Policy: ");
        for (int i = 0; i < rates.size(); i++) {
            Rate rate = rates.get(i);
            text.append(i == 0 ? "" : ", ")
                    .append('"')
                    .append(i + 1)
                    .append("\";q=")
                    .append(rate.count());
            text.append(";w=").append(rate.period().toSeconds());
        }
        return text.append("\r\n").toString();
    }

    /** @param cost the cost of a request, as in {@link RequestRateTable#chargeShare}; 1 for the whole limit */
    void append(RequestRateTable table, long key, long now, double cost, ByteAppender target) {
        int fewest = 0;
        long remaining = Long.MAX_VALUE;
        for (int i = 0; i < windows.length; i++) {
            long free = Math.max(0, windows[i].tolerance() - table.backlog(key, i, now))
                    / (long) (windows[i].increment() * cost);
            long left = Math.min(free, rates.get(i).count()); // a burst may exceed the count of the rate
            if (left < remaining) {
                remaining = left;
                fewest = i;
            }
        }
        long backlog = table.backlog(key, fewest, now);
        append(fewest, remaining, (backlog + NANOS - 1) / NANOS, target);
    }

    private void append(int rate, long remaining, long resetSeconds, ByteAppender target) {
        if (form == Headers.RATELIMIT) {
            target.appendAscii(policies);
            target.appendAscii("RateLimit: \"");
            target.appendDecimal(rate + 1L);
            target.appendAscii("\";r=");
            target.appendDecimal(remaining);
            target.appendAscii(";t=");
        } else {
            target.appendAscii("X-RateLimit-Limit: ");
            target.appendDecimal(rates.get(rate).count());
            target.appendAscii("\r\nX-RateLimit-Remaining: ");
            target.appendDecimal(remaining);
            target.appendAscii("\r\nX-RateLimit-Reset: ");
        }
        target.appendDecimal(resetSeconds);
        target.appendAscii("\r\n");
    }
}
