package io.ballast.dns.answer;

/**
 * Holds the active configuration. A query uses the configuration that is active when its processing starts, until its
 * end.
 *
 * <p>Thread safety: any thread may read it, at the cost of one field read; one thread at a time activates another.
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
     * Activates another configuration for all later queries.
     *
     * @param next configuration with the same name hash: answering threads keep theirs
     */
    @SuppressWarnings("ReferenceEquality") // another hash instance has another key
    public void activate(AnswerConfig next) {
        if (next.answers().hash() != current.answers().hash()) {
            throw new IllegalArgumentException("the answers use another name hash");
        }
        current = next;
    }
}
