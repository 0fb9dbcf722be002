package io.ballast.dns.forward.cache;

/**
 * The verdicts of filter rules about the names and addresses in an answer, one for each view. {@link AnswerJudge} defines the
 * meaning of verdicts.
 *
 * <p>Thread safety: immutable.
 */
final class Judgement {

    /** No verdicts. */
    static final Judgement NONE = new Judgement(/* rules= */ 0, new long[0]);

    private final int rules;
    /** By view; empty if all of them are none, as almost always. */
    private final long[] verdicts;

    private Judgement(int rules, long[] verdicts) {
        this.rules = rules;
        this.verdicts = verdicts;
    }

    /** @param verdicts by view; not copied */
    static Judgement of(int rules, long[] verdicts) {
        for (long verdict : verdicts) {
            if (verdict != AnswerJudge.NONE) {
                return new Judgement(rules, verdicts);
            }
        }
        return new Judgement(rules, NONE.verdicts);
    }

    int rules() {
        return rules;
    }

    long verdict(int view) {
        return view < verdicts.length ? verdicts[view] : AnswerJudge.NONE;
    }

    int retainedBytes() {
        return verdicts.length * Long.BYTES;
    }
}
