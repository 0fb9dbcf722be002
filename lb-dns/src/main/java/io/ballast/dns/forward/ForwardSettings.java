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
 * How questions are asked of resolvers and their answers kept, as it is configured.
 *
 * @param timeoutNanos how long a question is asked
 * @param retryAfterNanos when another resolver is asked beside the one that has not answered
 * @param staleAfterNanos when those who wait get what was true some time ago
 * @param cache null to keep nothing
 * @param filter by which answers are judged when they are taken in; null for none
 * @param validator of their signatures; null if these are not checked
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
    static final int UNANSWERED_SECONDS = 1;

    static ForwardSettings of(
            DnsForwardConfig config,
            @Nullable AnswerCache cache,
            @Nullable NameFilter filter,
            @Nullable Validator validator) {
        DnsCacheConfig kept = config.cache().orElse(DnsCacheConfig.DEFAULT);
        TtlLimits limits = new TtlLimits(
                (int) kept.minTtl().toSeconds(),
                (int) kept.maxTtl().toSeconds(),
                (int) kept.maxNegativeTtl().toSeconds(),
                (int) kept.failureTtl().toSeconds());
        return new ForwardSettings(
                config.timeout().toNanos(),
                config.retryAfter().toNanos(),
                kept.staleAfter().toNanos(),
                kept.prefetch(),
                limits,
                cache,
                filter,
                validator);
    }

    /** Returns settings for {@link Question#UNKEPT} questions without a client, so that no filter applies. */
    public ForwardSettings keepingNothing() {
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

    /** The flags of a query's question. */
    public int flags(boolean isDnssecOk, boolean isCheckingDisabled) {
        int flags = isDnssecOk ? Question.DNSSEC_OK : 0;
        if (isCheckingDisabled) {
            return flags | Question.CHECKING_DISABLED;
        }
        return validator == null ? flags : flags | Question.VALIDATED;
    }
}
