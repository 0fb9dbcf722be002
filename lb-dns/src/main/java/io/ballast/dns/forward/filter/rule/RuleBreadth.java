package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * Determines whether a rule covers a whole top-level domain, or almost every name or address. An expression
 * or a pattern is broad if it matches each of several unrelated names. A rule that applies only to some
 * queries is not broad.
 */
final class RuleBreadth {

    private static final String EVERY_NAME = "every name";
    private static final int MAX_BROAD_IPV4_BITS = 7;
    private static final int MAX_BROAD_IPV6_BITS = 15;

    private static final List<String> SAMPLE_LABELS = List.of("qzjx7vk", "b-0w3.hmf", "y9_u.c4.s6rg", "1d8-t.p2l.n-5a");
    private static final List<String> TOP_LEVEL_DOMAINS = List.of("com", "net", "org", "de", "io");

    private RuleBreadth() {}

    /** Describes the coverage of a broad rule; empty for other rules. */
    static Optional<String> describe(FilterRule rule) {
        if (rule.isCancelling() || !rule.condition().isNone()) {
            return Optional.empty();
        }
        return switch (rule.subject()) {
            case NAME -> Optional.empty();
            case TREE, BELOW ->
                isTopLevel(rule.text()) ? Optional.of(describeNamesBelow(rule.text())) : Optional.empty();
            case NETWORK -> describeNetwork(Cidr.parse(rule.text()));
            case EXPRESSION, PATTERN -> describeMatcher(ExpressionRule.of(rule).matcher());
        };
    }

    private static boolean isTopLevel(String name) {
        return name.indexOf('.') < 0;
    }

    private static String describeNamesBelow(String topLevel) {
        return "every name below " + topLevel;
    }

    private static Optional<String> describeNetwork(Cidr network) {
        int longest = network.network().isIpv4() ? MAX_BROAD_IPV4_BITS : MAX_BROAD_IPV6_BITS;
        return network.length() <= longest ? Optional.of("every address in " + network) : Optional.empty();
    }

    private static Optional<String> describeMatcher(NameMatcher matcher) {
        List<String> coveredTopLevels = TOP_LEVEL_DOMAINS.stream()
                .filter(top -> matchesAllSamples(matcher, top))
                .toList();
        if (coveredTopLevels.size() == TOP_LEVEL_DOMAINS.size()) {
            return Optional.of(EVERY_NAME);
        }
        return coveredTopLevels.stream().findFirst().map(RuleBreadth::describeNamesBelow);
    }

    private static boolean matchesAllSamples(NameMatcher matcher, String topLevel) {
        return SAMPLE_LABELS.stream().allMatch(labels -> matcher.matches(labels + "." + topLevel));
    }
}
