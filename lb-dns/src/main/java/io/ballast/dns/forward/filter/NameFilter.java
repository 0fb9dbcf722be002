package io.ballast.dns.forward.filter;

import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a configuration: rewrites, the current rules, the policies of client groups, and the answers
 * for blocked names. Counts the names that each list blocks.
 *
 * <p>Thread safety: any thread may call it.
 */
public final class NameFilter {

    private final ClientGroups groups;
    private final @Nullable RebindGuard rebindGuard;
    private final RewriteTable rewrites;
    /** Maps each rewrite rule to its result. A rule that is an exception to a wildcard has no result. */
    private final IdentityHashMap<RewriteRule, Rewritten> rewritten = new IdentityHashMap<>();

    private final AnswerChoice rebindAnswer;
    private final int ttlSeconds;
    private final long[] views;
    private final LongAdder[] counts;
    private final Function<String, LongAdder> counters;
    private volatile ActiveRules rules;

    /**
     * @param config the lists; if absent, there are no lists, and only {@code policy} applies
     * @param hash the hash function for query names
     * @param counters function that returns the counter of blocked queries for the name of a list
     */
    public NameFilter(
            Optional<DnsFilterConfig> config,
            DnsPolicyConfig policy,
            NameHash hash,
            Function<String, LongAdder> counters) {
        DnsFilterConfig filter = config.orElse(DnsFilterConfig.EMPTY);
        this.groups = new ClientGroups(filter, config.isPresent(), policy.groups());
        this.views = groups.views();
        this.rebindGuard =
                policy.rebind().map(rebind -> new RebindGuard(rebind, hash)).orElse(null);
        this.ttlSeconds = (int) filter.ttl().toSeconds();
        List<RewriteRule> rules =
                filter.rewrites().stream().map(NameFilter::toRule).toList();
        this.rewrites = RewriteTable.of(hash, rules);
        rules.forEach(rule -> rewritten(rule).ifPresent(answer -> rewritten.put(rule, answer)));
        this.rebindAnswer = new AnswerChoice(Answer.NODATA, List.of(), ttlSeconds);
        this.counts = filter.lists().stream().map(RuleList::name).map(counters).toArray(LongAdder[]::new);
        this.counters = counters;
        this.rules = ActiveRules.of(FilterTable.empty(), OperatorRules.empty(hash));
    }

    /**
     * Returns the result of a rule. If the target of an alias is itself rewritten, the alias gets the result of
     * that rewrite.
     */
    private Optional<Rewritten> rewritten(RewriteRule rule) {
        RewriteRule last = rewrites.resolveAliases(rule);
        return switch (last.action()) {
            case ADDRESSES -> Optional.of(Rewritten.answer(Answer.ADDRESSES, last.addresses(), ttlSeconds));
            case NXDOMAIN -> Optional.of(Rewritten.answer(Answer.NXDOMAIN, List.of(), ttlSeconds));
            case NODATA -> Optional.of(Rewritten.answer(Answer.NODATA, List.of(), ttlSeconds));
            case REFUSED -> Optional.of(Rewritten.answer(Answer.REFUSED, List.of(), ttlSeconds));
            case ALIAS -> Optional.of(Rewritten.alias(last.target(), ttlSeconds));
            case UNCHANGED -> Optional.empty();
        };
    }

    private static RewriteRule toRule(Rewrite rewrite) {
        if (rewrite.target().isPresent()) {
            return RewriteRule.alias(rewrite.name(), rewrite.target().get());
        }
        if (!rewrite.addresses().isEmpty()) {
            return RewriteRule.ofAddresses(rewrite.name(), rewrite.addresses());
        }
        Answer answer = rewrite.answer().orElse(null);
        if (answer == null) {
            return RewriteRule.of(rewrite.name(), RewriteRule.Action.UNCHANGED);
        }
        return RewriteRule.of(
                rewrite.name(),
                switch (answer) {
                    case NXDOMAIN -> RewriteRule.Action.NXDOMAIN;
                    case NODATA -> RewriteRule.Action.NODATA;
                    default -> RewriteRule.Action.REFUSED;
                });
    }

    /** Activates new rules from filter lists. */
    public synchronized void publish(FilterTable next) {
        rules = ActiveRules.of(next, rules.operator());
    }

    /** Activates new rules of operators. */
    public synchronized void publish(OperatorRules next) {
        rules = ActiveRules.of(rules.table(), next);
    }

    /** Returns the active rules. */
    public ActiveRules rules() {
        return rules;
    }

    /** Returns the client groups and their filter policies. */
    public ClientGroups groups() {
        return groups;
    }

    long[] views() {
        return views;
    }

    @Nullable RebindGuard rebindGuard() {
        return rebindGuard;
    }

    /**
     * Returns the verdict on a hashed name under the policy of its client; the result is a {@link
     * FilterVerdict}.
     */
    public long evaluate(ActiveRules activeRules, QueryName name, ClientPolicy policy, RuleContext query) {
        return policy.isFiltered() ? activeRules.evaluate(name, policy.lists(), query) : FilterVerdict.NONE;
    }

    /** Returns the rewrite that applies to a hashed name; null if none applies, as for most names. */
    public @Nullable Rewritten rewritten(QueryName name) {
        RewriteRule rule = rewrites.find(name);
        return rule == null ? null : rewritten.get(rule);
    }

    /**
     * Returns the answer for a blocked name, and counts the blocked query for its list.
     *
     * @param activeRules the rules that produced the verdict
     */
    public AnswerChoice chooseAndCountAnswer(ActiveRules activeRules, long verdict, ClientPolicy policy) {
        count(verdict);
        return chooseAnswer(activeRules, verdict, policy);
    }

    /** Returns the answer for a blocked name without counting the blocked query. */
    public AnswerChoice chooseAnswer(ActiveRules activeRules, long verdict, ClientPolicy policy) {
        return switch (FilterVerdict.answer(verdict)) {
            case CONFIGURED -> policy.blocked();
            case NXDOMAIN -> new AnswerChoice(Answer.NXDOMAIN, List.of(), ttlSeconds);
            case NODATA, ALIAS -> new AnswerChoice(Answer.NODATA, List.of(), ttlSeconds);
            case REFUSED -> new AnswerChoice(Answer.REFUSED, List.of(), ttlSeconds);
            case ADDRESS ->
                new AnswerChoice(Answer.ADDRESSES, activeRules.table().addresses(verdict), ttlSeconds);
        };
    }

    /** The TTL of rewritten answers. */
    public int ttlSeconds() {
        return ttlSeconds;
    }

    /**
     * Returns the answer that replaces a response with a blocked name or address. Counts the query,
     * unless the rebinding protection blocks it.
     */
    public AnswerChoice blockedAnswer(long verdict, ClientPolicy policy) {
        if (FilterVerdict.isRebinding(verdict)) {
            return rebindAnswer;
        }
        count(verdict);
        return policy.blocked();
    }

    private void count(long verdict) {
        int list = FilterVerdict.list(verdict);
        if (FilterVerdict.isByOperator(verdict)) {
            counters.apply(OperatorRules.LIST_NAME).increment();
        } else if (list < counts.length) {
            counts[list].increment();
        }
    }
}
