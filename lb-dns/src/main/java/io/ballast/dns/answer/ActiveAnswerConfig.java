package io.ballast.dns.answer;

/**
 * Holds the active configuration. A query uses one configuration from start to end: the one that is active
 * when its processing starts.
 *
 * <p>Thread safety: any thread may read it, at the cost of one field read; one thread at a time activates
 * another.
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
     * @param next configuration with the same name hash, because answering threads keep their hash
     */
    @SuppressWarnings("ReferenceEquality") // another hash instance has another key
    public void activate(AnswerConfig next) {
        if (next.answers().hash() != current.answers().hash()) {
            throw new IllegalArgumentException("the answers use another name hash");
        }
        current = next;
    }
}
