package io.ballast.dns.forward;

import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.TtlLimits;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.validate.Validator;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the forwarder and its cache.
 *
 * @param timeoutNanos time limit for the answer to a question
 * @param retryAfterNanos delay after which another resolver is queried in parallel
 * @param staleAfterNanos delay after which waiting clients get a stale answer
 * @param cache the cache of answers; null to disable the cache
 * @param filter the filter for answers that are cached; null for none
 * @param validator the validator of signatures; null to disable validation
 */
public record ForwardSettings(
        long timeoutNanos,
        long retryAfterNanos,
        long staleAfterNanos,
        boolean prefetches,
        TtlLimits limits,
        @Nullable AnswerCache cache,
        @Nullable NameFilter filter,
        @Nullable Validator validator) {

    /** The time between attempts to replace an expired answer while no resolver answers. */
    public static final long RECHECK_NANOS = 5_000_000_000L;

    /** The TTL of a cached timeout, the minimum of RFC 9520. */
    static final int TIMEOUT_TTL_SECONDS = 1;

    static ForwardSettings of(
            DnsForwardConfig config,
            @Nullable AnswerCache cache,
            @Nullable NameFilter filter,
            @Nullable Validator validator) {
        DnsCacheConfig cacheConfig = config.cache().orElse(DnsCacheConfig.DEFAULT);
        TtlLimits limits = new TtlLimits(
                (int) cacheConfig.minTtl().toSeconds(),
                (int) cacheConfig.maxTtl().toSeconds(),
                (int) cacheConfig.maxNegativeTtl().toSeconds(),
                (int) cacheConfig.failureTtl().toSeconds());
        return new ForwardSettings(
                config.timeout().toNanos(),
                config.retryAfter().toNanos(),
                cacheConfig.staleAfter().toNanos(),
                cacheConfig.prefetch(),
                limits,
                cache,
                filter,
                validator);
    }

    /** Returns a copy without cache, for questions whose answers must not be sent to other clients. */
    public ForwardSettings withoutCache() {
        return new ForwardSettings(
                timeoutNanos,
                retryAfterNanos,
                staleAfterNanos,
                prefetches,
                limits,
                /* cache= */ null,
                filter,
                validator);
    }

    /** Returns a copy without cache and filter, for {@link Question#UNCACHED} questions without a client. */
    public ForwardSettings withoutCacheAndFilter() {
        return new ForwardSettings(
                timeoutNanos,
                retryAfterNanos,
                staleAfterNanos,
                prefetches,
                limits,
                /* cache= */ null,
                /* filter= */ null,
                validator);
    }

    /** Returns the flags of the question that is sent to resolvers for a client's query. */
    public int flags(boolean isDnssecOk, boolean isCheckingDisabled) {
        int flags = isDnssecOk ? Question.DNSSEC_OK : 0;
        if (isCheckingDisabled) {
            return flags | Question.CHECKING_DISABLED;
        }
        return validator == null ? flags : flags | Question.VALIDATED;
    }
}
