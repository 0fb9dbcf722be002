package io.ballast.dns.answer;

/**
 * Holds the active configuration. A query uses one configuration from start to end: the one that is active
 * when its processing starts.
 *
 * <p>Thread safety: may be read from any thread, at the cost of one field read. Only one thread at a time may
 * activate another configuration.
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
     * @param next configuration with the same name hash, because the answering threads keep their hash object
     */
    @SuppressWarnings("ReferenceEquality") // another hash instance has another key
    public void activate(AnswerConfig next) {
        if (next.answers().hash() != current.answers().hash()) {
            throw new IllegalArgumentException("the answers use another name hash");
        }
        current = next;
    }
}
