package io.ballast.dns.forward.filter;

import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import java.util.List;

/**
 * The current filter policy of a group of clients. Immutable.
 *
 * @param group the name of the group
 * @param isFiltered whether any rules apply; if not, {@code lists} is unused
 * @param isPaused whether an operator paused the filter
 * @param lists a bit mask of the active lists, as for {@link FilterTable#evaluate}
 * @param view the index under which cached answers store the verdicts of these lists
 * @param blocked the answer for a blocked name
 */
public record ClientPolicy(
        String group, boolean isFiltered, boolean isPaused, long lists, int view, AnswerChoice blocked) {

    /** The view of unfiltered clients. */
    static final int UNFILTERED_VIEW = 0;

    private static final AnswerChoice NODATA_ANSWER = new AnswerChoice(Answer.NODATA, List.of(), /* ttlSeconds= */ 0);

    /** The policy without a group and without filtering. */
    public static final ClientPolicy NO_FILTER = unfiltered(/* group= */ "");

    /** Returns the policy of a group whose clients are not filtered. */
    public static ClientPolicy unfiltered(String group) {
        return new ClientPolicy(
                group, /* isFiltered= */ false, /* isPaused= */ false, /* lists= */ 0, UNFILTERED_VIEW, NODATA_ANSWER);
    }

    /**
     * Returns the policy for answers to queries whose names an allow rule matches: the answers are not
     * filtered.
     */
    public ClientPolicy withoutFilter() {
        return isFiltered ? NO_FILTER : this;
    }

    ClientPolicy asPaused() {
        return new ClientPolicy(
                group, /* isFiltered= */ false, /* isPaused= */ true, /* lists= */ 0, UNFILTERED_VIEW, blocked);
    }
}
