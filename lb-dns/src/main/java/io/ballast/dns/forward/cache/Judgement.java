package io.ballast.dns.forward.cache;

/**
 * What rules say of the names and addresses that an answer leads to, from each point of view. The meaning of verdicts is that of
 * the {@link AnswerJudge}.
 *
 * <p>Thread safety: immutable.
 */
final class Judgement {

    /** By no rules. */
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
