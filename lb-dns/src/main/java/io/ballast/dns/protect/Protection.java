package io.ballast.dns.protect;

import io.ballast.core.config.CookieConfig;
import io.ballast.core.config.CookieSecret;
import io.ballast.core.config.RateLimitConfig;
import io.ballast.core.stats.Counters;
import io.ballast.dns.stats.DnsCounter;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What guards a frontend against forged and endless queries, for all of its answering threads.
 *
 * <p>Thread safety: shared by all answering threads.
 */
public final class Protection {

    private final @Nullable ServerCookies cookies;
    private final @Nullable RateLimits limits;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    private Protection(
            @Nullable ServerCookies cookies, @Nullable RateLimits limits, InstantSource clock, LongSupplier nanoTime) {
        this.cookies = cookies;
        this.limits = limits;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * The protection that a configuration asks for.
     *
     * @param limit none for no limit
     * @param clock tells how old a cookie is
     * @param nanoTime tells how fast responses follow each other; never goes back
     */
    public static Protection of(
            CookieConfig cookies, Optional<RateLimitConfig> limit, InstantSource clock, LongSupplier nanoTime) {
        SecureRandom random = new SecureRandom();
        List<CookieSecret> secrets = cookies.secrets().isEmpty() ? List.of(secret(random)) : cookies.secrets();
        return new Protection(
                cookies.enabled() ? new ServerCookies(secrets) : null,
                limit.map(config -> new RateLimits(config, random.nextLong(), random.nextLong()))
                        .orElse(null),
                clock,
                nanoTime);
    }

    private static CookieSecret secret(SecureRandom random) {
        byte[] bytes = new byte[CookieSecret.BYTES];
        random.nextBytes(bytes);
        return new CookieSecret(HexFormat.of().formatHex(bytes));
    }

    /** The guard of one answering thread, which counts into its shard. */
    public QueryGuard guard(Counters.Shard<DnsCounter> counters) {
        ResponseRateLimiter limiter = limits == null ? null : new ResponseRateLimiter(limits);
        return new QueryGuard(cookies, limiter, clock, nanoTime, counters);
    }
}
