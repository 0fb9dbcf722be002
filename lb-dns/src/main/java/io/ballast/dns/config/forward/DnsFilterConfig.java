package io.ballast.dns.config.forward;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The filter for names outside the zones.
 *
 * @param lists the rule lists; earlier lists take precedence
 * @param answer the kind of answer for blocked names
 * @param addresses the addresses to return for blocked names if {@code answer} is {@link Answer#ADDRESSES}
 * @param ttl the TTL of the answers for blocked names
 * @param maxRules the maximum number of rules in all lists together
 * @param exempt networks whose queries are not filtered
 * @param rewrites names with configured answers, for all clients
 */
public record DnsFilterConfig(
        List<RuleList> lists,
        Answer answer,
        List<IpAddress> addresses,
        Duration ttl,
        int maxRules,
        List<Cidr> exempt,
        List<Rewrite> rewrites) {

    public static final Duration DEFAULT_TTL = Duration.ofSeconds(10);
    public static final int DEFAULT_MAX_RULES = 2_000_000;

    /** The maximum number of lists. The limit is 64, because a verdict has one bit per list. */
    public static final int MAX_LISTS = 64;

    /** A filter without rules. */
    public static final DnsFilterConfig EMPTY = new DnsFilterConfig(
            List.of(), Answer.NXDOMAIN, List.of(), DEFAULT_TTL, DEFAULT_MAX_RULES, List.of(), List.of());

    public DnsFilterConfig {
        lists = List.copyOf(lists);
        addresses = List.copyOf(addresses);
        exempt = List.copyOf(exempt);
        rewrites = List.copyOf(rewrites);
    }

    /** The answer for a blocked name. */
    public enum Answer {
        /** The name does not exist. */
        NXDOMAIN,
        /** The name has no records of this type. */
        NODATA,
        REFUSED,
        /** The answer is the unspecified address, which cannot be reached: 0.0.0.0 or ::. */
        ZERO,
        ADDRESSES
    }

    /** The effect of the rules of a list. */
    public enum Kind {
        /** Each rule blocks or allows names, depending on its syntax. */
        BLOCK,
        /** All rules allow names. */
        ALLOW
    }

    /**
     * A list of rules, from a file, a URL or the configuration.
     *
     * @param name the name in logs and statistics
     * @param enabled whether the rules of the list apply
     * @param file the file that contains the rules
     * @param url the URL from which the rules are downloaded
     * @param rules the rules themselves
     * @param refresh the time between downloads
     * @param maxSizeBytes the maximum size, both compressed and decompressed
     * @param shrinkLimitPercent a new version is rejected if it has fewer than this percentage of the previous
     *     version's rules, and the previous version had at least {@value #MIN_GUARDED_RULES}; 0 accepts every version
     */
    public record RuleList(
            String name,
            Kind kind,
            boolean enabled,
            Optional<Path> file,
            Optional<URI> url,
            List<String> rules,
            Duration refresh,
            int maxSizeBytes,
            int shrinkLimitPercent) {

        public static final Duration DEFAULT_REFRESH = Duration.ofDays(1);
        public static final int DEFAULT_MAX_SIZE_BYTES = 64 << 20;
        public static final int DEFAULT_SHRINK_LIMIT_PERCENT = 50;

        /** The shrink limit does not apply if the previous version of a list has fewer rules than this number. */
        public static final int MIN_GUARDED_RULES = 100;

        /** Creates a list with the default shrink limit. */
        public RuleList(
                String name,
                Kind kind,
                boolean enabled,
                Optional<Path> file,
                Optional<URI> url,
                List<String> rules,
                Duration refresh,
                int maxSizeBytes) {
            this(name, kind, enabled, file, url, rules, refresh, maxSizeBytes, DEFAULT_SHRINK_LIMIT_PERCENT);
        }

        public RuleList {
            rules = List.copyOf(rules);
        }
    }

    /**
     * A rewritten name.
     *
     * @param name the name in lower case without a final dot; the prefix {@code *.} stands for all subdomains of the
     *     name after it
     * @param addresses the addresses of the answer; empty if the rewrite answers without addresses
     * @param answer the kind of an answer without addresses; absent if the rewrite answers with addresses or an alias,
     *     or if the name is an exception to a wildcard
     * @param target the target of an alias; if it is present, the rewrite has no addresses and no {@code answer}
     */
    public record Rewrite(String name, List<IpAddress> addresses, Optional<Answer> answer, Optional<String> target) {

        public Rewrite {
            addresses = List.copyOf(addresses);
        }

        /** Creates a rewrite without an alias target. */
        public Rewrite(String name, List<IpAddress> addresses, Optional<Answer> answer) {
            this(name, addresses, answer, Optional.empty());
        }
    }
}
