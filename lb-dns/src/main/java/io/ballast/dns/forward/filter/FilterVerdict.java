package io.ballast.dns.forward.filter;

import io.ballast.dns.forward.filter.rule.BlockAnswer;
import io.ballast.dns.forward.filter.rule.FilterRule;

/**
 * The verdict of a {@link FilterTable} on a name, packed into a {@code long} to avoid allocation. It contains
 * the rule, the rule's list, the answer, and whether the name is blocked or allowed. The table converts a
 * verdict into its rule.
 *
 * <pre>
 *   bits 0-31    the rule: its address in the table, or its index
 *   bits 32-37   its list
 *   bits 38-40   the answer
 *   bits 41-43   its rank: 1 blocks, 2 allows, 3 blocks and is important, 4 allows and is important
 *   bits 44-46   the source: a rule for a name, an expression or a network; an operator's rule; the rebinding
 *                guard
 * </pre>
 */
public final class FilterVerdict {

    /** No rule matches the name. */
    public static final long NONE = 0;

    static final int BY_NAME = 0;
    static final int BY_EXPRESSION = 1;
    static final int BY_NETWORK = 2;
    static final int BY_OPERATOR = 3;
    static final int BY_REBINDING = 4;

    static final int HIGHEST_RANK = 4;

    private static final int LIST_SHIFT = 32;
    private static final int ANSWER_SHIFT = 38;
    private static final int RANK_SHIFT = 41;
    private static final int SOURCE_SHIFT = 44;

    private FilterVerdict() {}

    static long of(int source, int flags, int list, int rule) {
        int rank = 1 + (FilterRule.isAllowed(flags) ? 1 : 0) + (FilterRule.isImportant(flags) ? 2 : 0);
        int answer = FilterRule.isAllowed(flags)
                ? BlockAnswer.CONFIGURED.ordinal()
                : FilterRule.answer(flags).ordinal();
        return (long) source << SOURCE_SHIFT
                | (long) rank << RANK_SHIFT
                | (long) answer << ANSWER_SHIFT
                | (long) list << LIST_SHIFT
                | Integer.toUnsignedLong(rule);
    }

    public static boolean isBlocked(long verdict) {
        return (rank(verdict) & 1) != 0;
    }

    public static boolean isAllowed(long verdict) {
        return verdict != NONE && !isBlocked(verdict);
    }

    /** Whether an answer is blocked because it has an internal address. */
    public static boolean isRebinding(long verdict) {
        return source(verdict) == BY_REBINDING;
    }

    /** Whether an operator's rule caused the verdict, not the rule of a list. */
    public static boolean isByOperator(long verdict) {
        return source(verdict) == BY_OPERATOR;
    }

    /** Returns the id of the list whose rule determined the verdict; undefined for {@link #NONE}. */
    public static int list(long verdict) {
        return (int) (verdict >>> LIST_SHIFT) & FilterList.MAX_ID;
    }

    /** Returns the answer for a blocked name. */
    public static BlockAnswer answer(long verdict) {
        return BlockAnswer.of((int) (verdict >>> ANSWER_SHIFT) & 7);
    }

    /** Whether a rule makes the name an alias of another name. */
    public static boolean isAlias(long verdict) {
        return isBlocked(verdict) && answer(verdict) == BlockAnswer.ALIAS;
    }

    /** Returns the rank of a verdict: 0 if no rule matches; the verdict with the higher rank wins. */
    static int rank(long verdict) {
        return (int) (verdict >>> RANK_SHIFT) & 7;
    }

    static int source(long verdict) {
        return (int) (verdict >>> SOURCE_SHIFT) & 7;
    }

    static int rule(long verdict) {
        return (int) verdict;
    }
}
