package io.ballast.dns.answer;

import io.ballast.dns.dnssec.SetSigner;

/**
 * Where the records for one name and type come from: an {@link Answer} that holds for everybody, or a choice among
 * several by what is known of the client.
 *
 * <p>Thread safety: immutable.
 */
public abstract class AnswerSource {

    AnswerSource() {}

    /**
     * These records with signatures; what was signed when it was made stays as it is.
     *
     * @param signer for their owner
     * @param ttlSeconds the longest TTL with which they are ever served
     */
    abstract AnswerSource signed(SetSigner signer, int ttlSeconds);

    /** The answer for the present query. */
    abstract Answer select(QueryContext context);
}
