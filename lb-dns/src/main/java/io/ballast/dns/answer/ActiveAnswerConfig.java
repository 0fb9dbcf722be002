package io.ballast.dns.answer;

/**
 * The configuration that is active: each query is answered by the one that it finds when it begins, and by no other.
 *
 * <p>Thread safety: any thread may read it, which is one field read; one thread at a time activates another.
 */
public final class ActiveAnswerConfig {

    private volatile AnswerConfig current;

    public ActiveAnswerConfig(AnswerConfig first) {
        this.current = first;
    }

    public AnswerConfig current() {
        return current;
    }

    /**
     * Has all later queries answered by another configuration.
     *
     * @param next whose names are looked up by the same hash: answering threads keep theirs
     */
    @SuppressWarnings("ReferenceEquality") // another has another key
    public void activate(AnswerConfig next) {
        if (next.answers().hash() != current.answers().hash()) {
            throw new IllegalArgumentException("answers with a hash of their own");
        }
        current = next;
    }
}
