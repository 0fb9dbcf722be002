package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;

/**
 * Shows a judge all names and addresses that an answer leads its client to: the names of the chain of aliases; the
 * targets of records of the last of these names (HTTPS, SVCB, MX, SRV, NS and the like, and aliases that were asked for
 * as such); the addresses of A and AAAA records and of the hints in HTTPS and SVCB records. Only the answer section
 * counts: the additional section is never passed on, and of the authority section nothing that a client connects to but
 * names of servers of the zone.
 *
 * <p>Thread safety: confined to one thread, which uses it for one message after the other.
 */
final class AnswerExaminer {

    private final RecordTable records;
    private final Bailiwick bailiwick;
    private final WireName name = new WireName();
    private final byte[] nameBuffer = new byte[Wire.MAX_NAME_BYTES];

    AnswerExaminer(RecordTable records, Bailiwick bailiwick) {
        this.records = records;
        this.bailiwick = bailiwick;
    }

    /** Returns the verdicts of a judge about the last message, for each of its views. */
    AnswerVerdicts judge(AnswerJudge judge, Question question) {
        judge.begin(question);
        long[] verdicts = new long[judge.viewCount()];
        for (int view = 0; view < verdicts.length; view++) {
            verdicts[view] = judge(judge, view);
        }
        return AnswerVerdicts.of(judge.rulesNumber(), verdicts);
    }

    /** The first name or address that is blocked; behind a name that is allowed no list counts. */
    private long judge(AnswerJudge judge, int view) {
        int activeView = view;
        for (int i = 1; i < bailiwick.names(); i++) {
            long verdict = name(judge, activeView, bailiwick.name(i));
            if (judge.isBlocked(verdict)) {
                return verdict;
            }
            activeView = judge.isAllowed(verdict) ? 0 : activeView;
        }
        for (int i = 0; i < records.answers(); i++) {
            long verdict = bailiwick.isInBailiwick(records, i) ? judgeRecord(judge, activeView, i) : AnswerJudge.NONE;
            if (judge.isBlocked(verdict)) {
                return verdict;
            }
        }
        return AnswerJudge.NONE;
    }

    private long name(AnswerJudge judge, int view, WireName target) {
        return judge.judgeName(view, nameBuffer, target.copy(nameBuffer, 0));
    }

    private long judgeRecord(AnswerJudge judge, int view, int i) {
        int type = records.type(i);
        if (type == RecordType.A || type == RecordType.AAAA) {
            return judge.judgeAddress(view, type, records.message(), records.dataAt(i), records.dataLength(i));
        }
        int activeView = view;
        if (isOwnedByLastName(i) && records.readHostTarget(i, name)) {
            long verdict = name(judge, view, name);
            if (judge.isBlocked(verdict)) {
                return verdict;
            }
            activeView = judge.isAllowed(verdict) ? 0 : view;
        }
        return records.isSvcbOrHttps(i) ? judgeHints(judge, activeView, i) : AnswerJudge.NONE;
    }

    /** Other aliases belong to the chain; a DNAME above a name refers to names below its target, not to the target. */
    private boolean isOwnedByLastName(int i) {
        records.readOwner(i, name);
        return name.isSame(bailiwick.lastName());
    }

    private long judgeHints(AnswerJudge judge, int view, int i) {
        ServiceParams params = records.params(i);
        for (int hint = 0; hint < params.addressCount(); hint++) {
            long verdict = judge.judgeAddress(
                    view, params.type(hint), records.message(), params.offset(hint), params.length(hint));
            if (judge.isBlocked(verdict)) {
                return verdict;
            }
        }
        return AnswerJudge.NONE;
    }
}
