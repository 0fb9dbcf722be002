package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.cache.AnswerEvaluator;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the current rules whether the names and addresses in an answer are blocked. Makes one
 * decision for each combination of lists that a client group uses ({@link ClientGroups}).
 *
 * <p>Thread safety: confined to one thread.
 */
public final class AnswerFilter implements AnswerEvaluator {

    private static final long[] NO_VIEWS = {};

    private final QueryName scratch;
    private @Nullable NameFilter filter;

    // State of the answer that is being filtered.
    private @Nullable ActiveRules rules;
    private long[] views = NO_VIEWS;
    private boolean isRebindingBlocked;
    private final RuleContext context = new RuleContext();

    public AnswerFilter(NameHash hash) {
        this.scratch = new QueryName(hash);
    }

    /** Sets the filter for the question whose answer is filtered next; null for no filter. */
    public AnswerFilter setFilter(@Nullable NameFilter next) {
        filter = next;
        return this;
    }

    @Override
    public void begin(Question question) {
        if (filter == null) {
            rules = null;
            views = NO_VIEWS;
            isRebindingBlocked = false;
            return;
        }
        rules = filter.rules();
        context.setAnswer(question.type());
        views = filter.views();
        RebindGuard guard = filter.rebindGuard();
        byte[] name = question.name();
        isRebindingBlocked = guard != null && !guard.allows(read(name, name.length));
    }

    @Override
    public int ruleSetId() {
        return rules == null ? 0 : rules.ruleSetId();
    }

    @Override
    public int viewCount() {
        return views.length;
    }

    @Override
    public long evaluateName(int view, byte[] name, int length) {
        if (view == ClientPolicy.UNFILTERED_VIEW || rules == null) {
            return FilterVerdict.NONE;
        }
        long verdict = rules.evaluate(read(name, length), views[view], context);
        // Only queried names are rewritten: the rule of an alias may also match names in the answer for its target.
        return FilterVerdict.isAlias(verdict) ? FilterVerdict.NONE : verdict;
    }

    private QueryName read(byte[] name, int length) {
        scratch.read(name, 0, length);
        scratch.hash();
        return scratch;
    }

    @Override
    public long evaluateAddress(int view, int type, byte[] message, int at, int length) {
        FilterTable table = view == ClientPolicy.UNFILTERED_VIEW || rules == null ? null : rules.table();
        boolean isFiltered = table != null && !table.hasNoNetworkRules();
        int expected = type == RecordType.A ? 4 : 16;
        if (length != expected || !(isFiltered || isRebindingBlocked)) {
            return FilterVerdict.NONE;
        }
        byte[] bytes = Arrays.copyOfRange(message, at, at + length);
        long high = IpAddress.high(bytes, length);
        long low = IpAddress.low(bytes, length);
        long verdict = evaluate(table, view, high, low);
        if (FilterVerdict.isBlocked(verdict) || !EmbeddedIpv4.isPresent(high, low)) {
            return verdict;
        }
        FilterTable activeTable = FilterVerdict.isAllowed(verdict) ? null : table;
        return evaluate(activeTable, view, /* high= */ 0, EmbeddedIpv4.extract(high, low));
    }

    private long evaluate(@Nullable FilterTable table, int view, long high, long low) {
        long verdict = table == null ? FilterVerdict.NONE : table.evaluateAddress(high, low, views[view]);
        if (FilterVerdict.isBlocked(verdict)) {
            return verdict;
        }
        RebindGuard guard = isRebindingBlocked && filter != null ? filter.rebindGuard() : null;
        return guard != null && guard.isPrivate(high, low) ? RebindGuard.BLOCK_VERDICT : verdict;
    }

    @Override
    public boolean isBlocked(long verdict) {
        return FilterVerdict.isBlocked(verdict);
    }

    @Override
    public boolean isAllowed(long verdict) {
        return FilterVerdict.isAllowed(verdict);
    }
}
