package io.ballast.dns.answer;

/**
 * Where the records for one name and type come from: an {@link Answer} that holds for everybody, or a choice among
 * several by what is known of the client.
 *
 * <p>Thread safety: immutable.
 */
public abstract class AnswerSource {

    AnswerSource() {}

    /** The answer for the present query. */
    abstract Answer select(QueryContext context);
}
