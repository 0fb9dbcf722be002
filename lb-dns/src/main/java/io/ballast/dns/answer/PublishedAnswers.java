package io.ballast.dns.answer;

import io.ballast.dns.wire.NameHash;

/**
 * The table that queries are answered from now.
 *
 * <p>Thread safety: any thread may read it, which is one field read; one thread at a time publishes.
 */
public final class PublishedAnswers {

    private final NameHash hash;
    private volatile AnswerTable current;

    /** @param hash by which the names of this and of all later tables are looked up */
    public PublishedAnswers(NameHash hash, AnswerTable first) {
        this.hash = hash;
        this.current = first;
    }

    /** The table in force. */
    public AnswerTable current() {
        return current;
    }

    /** Puts a table in force. Queries that are being answered finish with the one they began with. */
    public void publish(AnswerTable next) {
        current = next;
    }

    NameHash hash() {
        return hash;
    }
}
