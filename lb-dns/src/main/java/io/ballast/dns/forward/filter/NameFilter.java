package io.ballast.dns.forward.filter;

import io.ballast.core.config.DnsFilterConfig;
import io.ballast.core.config.DnsFilterConfig.Answer;
import io.ballast.core.config.DnsFilterConfig.Rewrite;
import io.ballast.core.config.DnsFilterConfig.RuleList;
import io.ballast.core.net.CidrSet;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a configuration: rewrites, the rules of the moment, who is exempt, and what is answered. Counts what each list
 * blocks.
 *
 * <p>Thread safety: any thread may call it; rules are published by one at a time.
 */
public final class NameFilter {

    private final CidrSet exempt;
    private final RewriteTable rewrites;
    private final AnswerChoice blocked;
    private final int ttlSeconds;
    private final LongAdder[] counts;
    private volatile FilterTable table = FilterTable.empty();

    /**
     * @param hash of the names of queries
     * @param counters has what counts the queries that a list has blocked, by its name
     */
    public NameFilter(DnsFilterConfig config, NameHash hash, Function<String, LongAdder> counters) {
        this.exempt = CidrSet.of(config.exempt());
        this.ttlSeconds = (int) config.ttl().toSeconds();
        this.rewrites = RewriteTable.of(
                hash, config.rewrites().stream().map(NameFilter::rule).toList());
        this.blocked = new AnswerChoice(config.answer(), config.addresses(), ttlSeconds);
        this.counts = config.lists().stream().map(RuleList::name).map(counters).toArray(LongAdder[]::new);
    }

    private static RewriteRule rule(Rewrite rewrite) {
        if (!rewrite.addresses().isEmpty()) {
            return RewriteRule.to(rewrite.name(), rewrite.addresses());
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

    /** Other rules hold from now on. */
    public void publish(FilterTable next) {
        table = next;
    }

    /** The rules of the moment. */
    public FilterTable table() {
        return table;
    }

    /** Whether no list blocks anything for a client, whose address is given as {@link io.ballast.core.net.IpAddress} has it. */
    public boolean isExempt(long high, long low) {
        return exempt.contains(high, low);
    }

    /** What is answered by hand for a name, which is hashed; null for most. */
    public @Nullable AnswerChoice rewritten(QueryName name) {
        RewriteRule rule = rewrites.find(name);
        if (rule == null) {
            return null;
        }
        return switch (rule.action()) {
            case ADDRESSES -> new AnswerChoice(Answer.ADDRESSES, rule.addresses(), ttlSeconds);
            case NXDOMAIN -> new AnswerChoice(Answer.NXDOMAIN, List.of(), ttlSeconds);
            case NODATA -> new AnswerChoice(Answer.NODATA, List.of(), ttlSeconds);
            case REFUSED -> new AnswerChoice(Answer.REFUSED, List.of(), ttlSeconds);
            case UNCHANGED, ALIAS -> null;
        };
    }

    /**
     * What is answered for a name that is blocked; counts it.
     *
     * @param by whose verdict it is
     */
    public AnswerChoice blocked(FilterTable by, long verdict) {
        count(verdict);
        return choice(by, verdict);
    }

    /** Likewise, without counting. */
    public AnswerChoice choice(FilterTable by, long verdict) {
        return switch (FilterVerdict.answer(verdict)) {
            case CONFIGURED -> blocked;
            case NXDOMAIN -> new AnswerChoice(Answer.NXDOMAIN, List.of(), ttlSeconds);
            case NODATA -> new AnswerChoice(Answer.NODATA, List.of(), ttlSeconds);
            case ADDRESS -> new AnswerChoice(Answer.ADDRESSES, by.addresses(verdict), ttlSeconds);
        };
    }

    /** What is answered where an answer leads to what is blocked; counts it. */
    public AnswerChoice blockedAnswer(long verdict) {
        count(verdict);
        return blocked;
    }

    private void count(long verdict) {
        int list = FilterVerdict.list(verdict);
        if (list < counts.length) {
            counts[list].increment();
        }
    }
}
