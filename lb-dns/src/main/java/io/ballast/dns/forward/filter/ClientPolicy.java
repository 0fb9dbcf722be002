package io.ballast.dns.forward.filter;

import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import java.util.List;

/**
 * How the queries of a group of clients are filtered at the moment. Immutable.
 *
 * @param group by its name
 * @param isFiltered whether rules count at all; if not, {@code lists} means nothing
 * @param isPaused whether they do not since somebody has paused them
 * @param lists those that count, one bit each, as {@link FilterTable#judge} takes them
 * @param view the number of the verdicts by these lists that answers are kept with
 * @param blocked what is answered for a blocked name
 */
public record ClientPolicy(
        String group, boolean isFiltered, boolean isPaused, long lists, int view, AnswerChoice blocked) {

    /** The view of those who are not filtered. */
    static final int UNFILTERED = 0;

    private static final AnswerChoice NOTHING = new AnswerChoice(Answer.NODATA, List.of(), /* ttlSeconds= */ 0);

    /** No filtering for any client. */
    public static final ClientPolicy OPEN = open(/* group= */ "");

    /** No filtering. */
    public static ClientPolicy open(String group) {
        return new ClientPolicy(
                group, /* isFiltered= */ false, /* isPaused= */ false, /* lists= */ 0, UNFILTERED, NOTHING);
    }

    /** The same where a rule has allowed a name, which may then lead anywhere. */
    public ClientPolicy allowing() {
        return isFiltered ? OPEN : this;
    }

    ClientPolicy paused() {
        return new ClientPolicy(
                group, /* isFiltered= */ false, /* isPaused= */ true, /* lists= */ 0, UNFILTERED, blocked);
    }
}
