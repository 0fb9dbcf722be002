package io.ballast.config.keys.forward;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import java.time.Duration;
import java.util.List;

/** The keys of {@code dns.forward.filter}. */
final class DnsFilterKeys {

    private static final int RULES_LIMIT = 20_000_000;

    private static final ShapeBuilder<DnsFilterConfig> KEYS =
            Shape.named("dns_filter", "Which names outside the zones are blocked.");

    private static final Key<List<RuleList>> LISTS = KEYS.optional(
            "lists",
            ListType.of(DnsRuleListKeys.LIST).unique("name", RuleList::name),
            List.of(),
            "lists of rules, at most " + DnsFilterConfig.MAX_LISTS + "; earlier lists take precedence",
            DnsFilterConfig::lists);
    private static final Key<Answer> ANSWER = KEYS.optional(
            "answer",
            EnumWords.of(Answer.class),
            Answer.NXDOMAIN,
            "the answer for a blocked name; zero: 0.0.0.0 or ::; addresses: those of the key addresses",
            DnsFilterConfig::answer);
    private static final Key<List<IpAddress>> ADDRESSES = KEYS.optional(
            "addresses",
            ListType.of(Networks.ADDRESS).unique("address", address -> address),
            List.of(),
            "addresses returned for a blocked name; only with answer: addresses",
            DnsFilterConfig::addresses);
    private static final Key<Duration> TTL = KEYS.optional(
            "ttl", Durations.SECONDS, DnsFilterConfig.DEFAULT_TTL, "TTL of the filter's answers", DnsFilterConfig::ttl);
    private static final Key<Integer> MAX_RULES = KEYS.optional(
            "max_rules",
            Scalars.integer(1, RULES_LIMIT),
            DnsFilterConfig.DEFAULT_MAX_RULES,
            "maximum total number of rules in all lists; exceeding it is an error",
            DnsFilterConfig::maxRules);
    private static final Key<List<Cidr>> EXEMPT = KEYS.optional(
            "exempt",
            ListType.of(Networks.NETWORK).unique("network", network -> network),
            List.of(),
            "client networks to which the lists do not apply",
            DnsFilterConfig::exempt);
    private static final Key<List<Rewrite>> REWRITES = KEYS.optional(
            "rewrites",
            ListType.of(DnsRewriteKeys.REWRITE).unique("name", Rewrite::name),
            List.of(),
            "names with fixed answers",
            DnsFilterConfig::rewrites);

    static final Type<DnsFilterConfig> FILTER = KEYS.build(DnsFilterKeys::build);

    private DnsFilterKeys() {}

    private static DnsFilterConfig build(Values values) {
        if (values.get(LISTS).size() > DnsFilterConfig.MAX_LISTS) {
            values.reading().mismatch(values.node(LISTS), "at most " + DnsFilterConfig.MAX_LISTS + " lists");
        }
        boolean needsAddresses = values.get(ANSWER) == Answer.ADDRESSES;
        if (needsAddresses == values.get(ADDRESSES).isEmpty()) {
            values.reading()
                    .mismatch(
                            values.node(needsAddresses ? ANSWER : ADDRESSES),
                            needsAddresses ? "the key 'addresses' as well" : "only with answer: addresses");
        }
        return new DnsFilterConfig(
                values.get(LISTS),
                values.get(ANSWER),
                values.get(ADDRESSES),
                values.get(TTL),
                values.get(MAX_RULES),
                values.get(EXEMPT),
                values.get(REWRITES));
    }
}
