package io.ballast.dns.forward.cache;

/**
 * The verdicts of filter rules about the names and addresses in an answer, one for each view. {@link AnswerEvaluator}
 * defines the meaning of verdicts.
 *
 * <p>Thread safety: immutable.
 */
final class AnswerVerdicts {

    /** No verdicts. */
    static final AnswerVerdicts NONE = new AnswerVerdicts(/* rules= */ 0, new long[0]);

    private final int ruleSetId;
    /**
     * One verdict for each filter view, at the view's number; empty if every verdict is {@link AnswerEvaluator#NONE},
     * which is the usual case.
     */
    private final long[] verdicts;

    private AnswerVerdicts(int rules, long[] verdicts) {
        this.ruleSetId = rules;
        this.verdicts = verdicts;
    }

    /** @param verdicts the verdict for each view; the array is not copied */
    static AnswerVerdicts of(int rules, long[] verdicts) {
        for (long verdict : verdicts) {
            if (verdict != AnswerEvaluator.NONE) {
                return new AnswerVerdicts(rules, verdicts);
            }
        }
        return new AnswerVerdicts(rules, NONE.verdicts);
    }

    int ruleSetId() {
        return ruleSetId;
    }

    long verdict(int view) {
        return view < verdicts.length ? verdicts[view] : AnswerEvaluator.NONE;
    }

    int retainedBytes() {
        return verdicts.length * Long.BYTES;
    }
}
