package io.ballast.dns.protect;

import io.ballast.core.net.IpAddress;
import io.ballast.core.stats.Counters;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks each query before it is answered: whether its source is plausible, and whether its client is over the rate
 * limit. Sets the cookie of the response.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing, takes no lock.
 */
public final class QueryGuard {

    /** The verdict on a query. */
    public enum Verdict {
        ANSWER,
        /**
         * Respond with BADCOOKIE and a valid cookie, since the server part of the client's cookie is missing or
         * invalid.
         */
        BADCOOKIE,
        /** Respond with TC and without records: a client that is not spoofed retries over TCP. */
        TRUNCATE,
        DROP
    }

    private final @Nullable ServerCookies cookies;
    private final @Nullable ResponseRateLimiter limiter;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Counters.Shard<DnsCounter> counters;

    QueryGuard(
            @Nullable ServerCookies cookies,
            @Nullable ResponseRateLimiter limiter,
            InstantSource clock,
            LongSupplier nanoTime,
            Counters.Shard<DnsCounter> counters) {
        this.cookies = cookies;
        this.limiter = limiter;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.counters = counters;
    }

    /** Whether a datagram from this source port may be answered. */
    public boolean accepts(int port) {
        if (SuspiciousPorts.isSuspicious(port)) {
            counters.increment(DnsCounter.SUSPICIOUS_PORTS);
            return false;
        }
        return true;
    }

    /** Whether cookies are enabled. If they are, a query without a question is valid. */
    public boolean hasCookies() {
        return cookies != null;
    }

    /**
     * Returns the verdict on a parsed query, valid or not. Must be called before the response is started.
     *
     * @param bytes the client's address in the first {@code length} bytes: 4 or 16 bytes
     * @param datagram whether the sender's address may be spoofed
     */
    public Verdict evaluate(Query query, byte[] bytes, int length, boolean datagram) {
        if (limiter == null && query.edns().cookieLength() == 0) {
            return Verdict.ANSWER;
        }
        long high = IpAddress.high(bytes, length);
        long low = IpAddress.low(bytes, length);
        ServerCookies.Verdict cookie = checkCookie(query, high, low);
        if (limiter != null && datagram && cookie != ServerCookies.Verdict.VALID) {
            Verdict limited = applyRateLimit(limiter.evaluate(high, low, nanoTime.getAsLong()), query);
            if (limited != Verdict.ANSWER) {
                return limited;
            }
        }
        boolean asksAboutIt = !query.hasQuestion() && cookie == ServerCookies.Verdict.BAD;
        return asksAboutIt ? Verdict.BADCOOKIE : Verdict.ANSWER;
    }

    /**
     * Sets the cookie of the response to a deferred query. The cookie of the query was already checked on
     * arrival.
     */
    public void renewCookie(Query query, byte[] bytes, int length) {
        if (cookies != null && query.edns().cookieLength() > 0) {
            ServerCookies.Verdict unused =
                    exchange(cookies, query, IpAddress.high(bytes, length), IpAddress.low(bytes, length));
        }
    }

    private ServerCookies.Verdict checkCookie(Query query, long high, long low) {
        Edns edns = query.edns();
        if (cookies == null || edns.cookieLength() == 0) {
            return ServerCookies.Verdict.UNPROVEN;
        }
        ServerCookies.Verdict verdict = exchange(cookies, query, high, low);
        if (verdict == ServerCookies.Verdict.VALID) {
            counters.increment(DnsCounter.COOKIES_VALID);
        } else if (verdict == ServerCookies.Verdict.BAD) {
            counters.increment(DnsCounter.COOKIES_BAD);
        }
        return verdict;
    }

    private ServerCookies.Verdict exchange(ServerCookies known, Query query, long high, long low) {
        Edns edns = query.edns();
        return known.exchange(
                query.message(),
                edns.cookieOffset(),
                edns.cookieLength(),
                high,
                low,
                (int) (clock.millis() / 1000),
                query.opt().cookie());
    }

    private Verdict applyRateLimit(ResponseRateLimiter.Verdict verdict, Query query) {
        return switch (verdict) {
            case SEND -> Verdict.ANSWER;
            case DROP -> {
                counters.increment(DnsCounter.LIMITED_DROPPED);
                yield Verdict.DROP;
            }
            case TRUNCATE -> {
                counters.increment(DnsCounter.LIMITED_TRUNCATED);
                // The client supports cookies: with the new cookie, it may retry over UDP.
                boolean takesCookies = cookies != null && query.edns().cookieLength() > 0;
                yield takesCookies ? Verdict.BADCOOKIE : Verdict.TRUNCATE;
            }
        };
    }
}
