package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;

/**
 * Decides whether the names and addresses to which an answer directs the client are blocked. Callers must not
 * interpret a verdict, except that {@link #NONE} means not blocked.
 *
 * <p>Different rules can apply to different clients. Each set of rules that applies to some clients is a view
 * with a number. An answer is checked for every view. View 0 blocks nothing.
 *
 * <p>Thread safety: confined to one thread.
 */
public interface AnswerEvaluator {

    long NONE = 0;

    /** Blocks nothing. */
    AnswerEvaluator ALLOW_ALL = new AnswerEvaluator() {
        @Override
        public void begin(Question question) {}

        @Override
        public int ruleSetId() {
            return 0;
        }

        @Override
        public int viewCount() {
            return 0;
        }

        @Override
        public long evaluateName(int view, byte[] name, int length) {
            return NONE;
        }

        @Override
        public long evaluateAddress(int view, int type, byte[] message, int at, int length) {
            return NONE;
        }

        @Override
        public boolean isBlocked(long verdict) {
            return false;
        }

        @Override
        public boolean isAllowed(long verdict) {
            return false;
        }
    };

    /** Starts to filter the answer to a question, with the current rules. */
    void begin(Question question);

    /** Returns the id of the current rule set; every rule set has a different id. */
    int ruleSetId();

    /** The number of filter views, that is, of different selections of rules; view 0 is unfiltered. */
    int viewCount();

    /**
     * Returns the verdict on a name to which the answer directs the client: an alias or the target of a record.
     * The name is in lower case and wire format.
     */
    long evaluateName(int view, byte[] name, int length);

    /** Returns the verdict on an address of {@code length} bytes. */
    long evaluateAddress(int view, int type, byte[] message, int at, int length);

    boolean isBlocked(long verdict);

    boolean isAllowed(long verdict);
}
