package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;

/**
 * Passes all names and addresses to which an answer directs the client to an {@link AnswerEvaluator}. The names are the
 * names of the alias chain, and the targets of records of the last name in the chain. Records with targets are HTTPS,
 * SVCB, MX, SRV, NS and the like, and alias records if the client queried their type. The addresses come from A and
 * AAAA records and from the hints in HTTPS and SVCB records. Only the answer section counts, because the additional
 * section is never passed on. The authority section has no names that a client connects to, except the names of the
 * zone's servers.
 *
 * <p>Thread safety: confined to one thread, which uses it for one message at a time.
 */
final class AnswerInspector {

    private final RecordTable records;
    private final Bailiwick bailiwick;
    private final WireName name = new WireName();
    private final byte[] nameBuffer = new byte[Wire.MAX_NAME_BYTES];

    AnswerInspector(RecordTable records, Bailiwick bailiwick) {
        this.records = records;
        this.bailiwick = bailiwick;
    }

    /**
     * Evaluates the last message against the filter rules of each view of {@code evaluator}; returns one verdict
     * per view.
     */
    AnswerVerdicts evaluate(AnswerEvaluator evaluator, Question question) {
        evaluator.begin(question);
        long[] verdicts = new long[evaluator.viewCount()];
        for (int view = 0; view < verdicts.length; view++) {
            verdicts[view] = evaluate(evaluator, view);
        }
        return AnswerVerdicts.of(evaluator.ruleSetId(), verdicts);
    }

    /**
     * Returns the verdict for the first blocked name or address. Once a name is allowed, filter lists no longer
     * apply to the names and addresses that follow it.
     */
    private long evaluate(AnswerEvaluator evaluator, int view) {
        int activeView = view;
        for (int i = 1; i < bailiwick.nameCount(); i++) {
            long verdict = name(evaluator, activeView, bailiwick.name(i));
            if (evaluator.isBlocked(verdict)) {
                return verdict;
            }
            activeView = evaluator.isAllowed(verdict) ? 0 : activeView;
        }
        for (int i = 0; i < records.answerCount(); i++) {
            long verdict = bailiwick.isInBailiwick(records, i)
                    ? evaluateRecord(evaluator, activeView, i)
                    : AnswerEvaluator.NONE;
            if (evaluator.isBlocked(verdict)) {
                return verdict;
            }
        }
        return AnswerEvaluator.NONE;
    }

    private long name(AnswerEvaluator evaluator, int view, WireName target) {
        return evaluator.evaluateName(view, nameBuffer, target.copy(nameBuffer, 0));
    }

    private long evaluateRecord(AnswerEvaluator evaluator, int view, int i) {
        int type = records.type(i);
        if (type == RecordType.A || type == RecordType.AAAA) {
            return evaluator.evaluateAddress(
                    view, type, records.message(), records.dataOffset(i), records.dataLength(i));
        }
        int activeView = view;
        if (isOwnedByLastName(i) && records.readHostTarget(i, name)) {
            long verdict = name(evaluator, view, name);
            if (evaluator.isBlocked(verdict)) {
                return verdict;
            }
            activeView = evaluator.isAllowed(verdict) ? 0 : view;
        }
        return records.isSvcbOrHttps(i) ? evaluateHints(evaluator, activeView, i) : AnswerEvaluator.NONE;
    }

    /**
     * Returns whether the last name of the alias chain owns the record. Alias records of other names are links of
     * the chain. A DNAME record above a name redirects to names below its target, not to the target itself.
     */
    private boolean isOwnedByLastName(int i) {
        records.readOwner(i, name);
        return name.isSame(bailiwick.lastName());
    }

    private long evaluateHints(AnswerEvaluator evaluator, int view, int i) {
        ServiceParams params = records.params(i);
        for (int hint = 0; hint < params.addressCount(); hint++) {
            long verdict = evaluator.evaluateAddress(
                    view, params.type(hint), records.message(), params.offset(hint), params.length(hint));
            if (evaluator.isBlocked(verdict)) {
                return verdict;
            }
        }
        return AnswerEvaluator.NONE;
    }
}
