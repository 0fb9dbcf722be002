package io.ballast.dns.answer;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.wire.QueryName;
import org.jspecify.annotations.Nullable;

/**
 * What one name has: answers by type, and what else may stand at a name: an alias, a delegation, a rewriting of all names
 * below. A name without any exists all the same: there are names below it.
 */
interface NameData {

    /** What answers a type; null if the name has no such records. */
    @Nullable AnswerSource of(int type);

    /** The CNAME record, which answers the types that {@link #of} does not. */
    @Nullable AnswerSource alias();

    /**
     * Reads the name that an alias leads to.
     *
     * @param selected of {@link #alias}, for the present query
     * @return its length on the wire
     */
    int readAliasTarget(Answer selected, QueryName target);

    /** Where the servers of this name and of all below it are. */
    @Nullable Referral referral();

    /** What becomes of the names below. */
    @Nullable Rewrite rewrite();

    /** What proves which types there are; null in a zone that is not signed. */
    @Nullable NameProof proof();
}
