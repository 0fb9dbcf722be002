package io.ballast.dns.protect;

import io.ballast.core.stats.Counters;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.CookieSecret;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.stats.DnsCounter;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The protection of a frontend against spoofed queries and query floods: cookies and rate limits.
 *
 * <p>Thread safety: shared by all answering threads.
 */
public final class Protection {

    private final CookieConfig cookieConfig;
    private final Optional<RateLimitConfig> limitConfig;
    private final @Nullable ServerCookies cookies;
    private final @Nullable RateLimits limits;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    private Protection(
            CookieConfig cookieConfig,
            Optional<RateLimitConfig> limitConfig,
            @Nullable ServerCookies cookies,
            @Nullable RateLimits limits,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.cookieConfig = cookieConfig;
        this.limitConfig = limitConfig;
        this.cookies = cookies;
        this.limits = limits;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * Creates the protection for a configuration.
     *
     * @param limit rate limit; empty for no limit
     * @param clock clock for the age of cookies
     * @param nanoTime monotonic clock for rate limits
     */
    public static Protection of(
            CookieConfig cookies, Optional<RateLimitConfig> limit, InstantSource clock, LongSupplier nanoTime) {
        return new Protection(cookies, limit, cookies(cookies), limits(limit), clock, nanoTime);
    }

    /**
     * Returns a copy of this object with a new configuration. If the configuration of cookies or of the rate
     * limit is unchanged, the copy keeps the generated cookie secrets or the response counts of clients.
     */
    public Protection withConfig(CookieConfig nextCookies, Optional<RateLimitConfig> nextLimit) {
        boolean sameCookies = nextCookies.equals(cookieConfig);
        boolean sameLimit = nextLimit.equals(limitConfig);
        if (sameCookies && sameLimit) {
            return this;
        }
        return new Protection(
                nextCookies,
                nextLimit,
                sameCookies ? cookies : cookies(nextCookies),
                sameLimit ? limits : limits(nextLimit),
                clock,
                nanoTime);
    }

    /**
     * Uses the secrets of a cluster instead of the generated secret. This has no effect if the configuration has
     * secrets, or if cookies are off.
     *
     * @param secrets the secrets, at least one
     */
    public void shareSecrets(List<CookieSecret> secrets) {
        if (cookies != null && cookieConfig.secrets().isEmpty()) {
            cookies.use(secrets);
        }
    }

    private static @Nullable ServerCookies cookies(CookieConfig config) {
        if (!config.enabled()) {
            return null;
        }
        return new ServerCookies(config.secrets().isEmpty() ? List.of(secret(new SecureRandom())) : config.secrets());
    }

    private static @Nullable RateLimits limits(Optional<RateLimitConfig> config) {
        SecureRandom random = new SecureRandom();
        return config.map(limit -> new RateLimits(limit, random.nextLong(), random.nextLong()))
                .orElse(null);
    }

    private static CookieSecret secret(SecureRandom random) {
        byte[] bytes = new byte[CookieSecret.BYTES];
        random.nextBytes(bytes);
        return new CookieSecret(HexFormat.of().formatHex(bytes));
    }

    /** Creates the guard of one answering thread, which counts into the given shard. */
    public QueryGuard createGuard(Counters.Shard<DnsCounter> counters) {
        ResponseRateLimiter limiter = limits == null ? null : new ResponseRateLimiter(limits);
        return new QueryGuard(cookies, limiter, clock, nanoTime, counters);
    }
}
