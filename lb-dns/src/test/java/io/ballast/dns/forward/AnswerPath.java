package io.ballast.dns.forward;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.forward.DnsValidationConfig.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The path on which a forwarder makes an answer, and the configuration for it. */
enum AnswerPath {
    MISS(Optional.empty()),
    HIT(Optional.of(DnsCacheConfig.DEFAULT)),
    /** The answer is valid for a client subnet, and comes from the cache or from a resolver. */
    TAILORED(Optional.of(DnsCacheConfig.DEFAULT)),
    /** The answer is exempt from validation by a negative trust anchor. */
    VALIDATED(Optional.of(DnsCacheConfig.DEFAULT)),
    STALE(Optional.of(brief())),
    FAILED(Optional.empty()),
    /** The queried name is blocked, so no resolver is queried. */
    BLOCKED(Optional.of(DnsCacheConfig.DEFAULT)),
    /** The target in the answer is blocked; the answer comes from the cache or from a resolver. */
    BLOCKED_ANSWER(Optional.of(DnsCacheConfig.DEFAULT)),
    REWRITTEN(Optional.of(DnsCacheConfig.DEFAULT)),
    /**
     * The name is rewritten to an alias of another name; the answer for that name comes from the cache or from a
     * resolver.
     */
    ALIASED(Optional.of(DnsCacheConfig.DEFAULT)),
    /**
     * The name is an alias in a zone to a name outside the zones. The query has RD set, and the answer comes from the
     * cache or from a resolver.
     */
    OUTGOING(Optional.of(DnsCacheConfig.DEFAULT));

    /** The target of aliases. */
    static final String TARGET = "target.example.net";

    /** The scope of answers for a client subnet. */
    static final int SCOPE = 23;

    private final Optional<DnsCacheConfig> cache;

    AnswerPath(Optional<DnsCacheConfig> cache) {
        this.cache = cache;
    }

    boolean isAlias() {
        return this == ALIASED || this == OUTGOING;
    }

    boolean isBlocked() {
        return this == BLOCKED || this == BLOCKED_ANSWER;
    }

    Optional<DnsFilterConfig> filter() {
        return switch (this) {
            case BLOCKED -> Optional.of(filter("||case.example.org^", List.of()));
            case BLOCKED_ANSWER -> Optional.of(filter("192.0.2.0/24", List.of()));
            case REWRITTEN ->
                Optional.of(filter(
                        "||unused.example^",
                        List.of(new Rewrite(
                                QueryProperties.NAME, List.of(IpAddress.parse("192.0.2.1")), Optional.empty()))));
            case ALIASED ->
                Optional.of(filter(
                        "||unused.example^",
                        List.of(new Rewrite("*.case.example.org", List.of(), Optional.empty(), Optional.of(TARGET)))));
            default -> Optional.empty();
        };
    }

    private static DnsFilterConfig filter(String rule, List<Rewrite> rewrites) {
        RuleList list = new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of(rule),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
        return new DnsFilterConfig(
                List.of(list),
                DnsFilterConfig.Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                rewrites);
    }

    /** Returns a cache whose answers expire at once. */
    private static DnsCacheConfig brief() {
        return new DnsCacheConfig(
                1 << 20,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofDays(1),
                Duration.ofMillis(1),
                /* prefetch= */ false,
                /* snapshot= */ false);
    }

    /** Returns the configuration with which a forwarder makes its answers on this path. */
    DnsForwardConfig applyTo(DnsForwardConfig config) {
        Duration timeout = this == FAILED ? Duration.ofMillis(50) : Duration.ofSeconds(30);
        DnsForwardConfig changed = config.toBuilder()
                .timeout(timeout)
                .retryAfter(timeout)
                .cache(cache)
                .filter(filter())
                .build();
        if (this == TAILORED) {
            return changed.toBuilder()
                    .upstream(new Upstream(
                            ForwarderFixture.POOL,
                            DnsForwardConfig.Protocol.UDP,
                            Upstream.DEFAULT_PATH,
                            Optional.of(DnsClientSubnetConfig.DEFAULT)))
                    .build();
        }
        return this == VALIDATED
                ? changed.toBuilder()
                        .dnssec(new DnsValidationConfig(Mode.VALIDATE, Optional.empty(), List.of("example.org")))
                        .build()
                : changed;
    }
}
