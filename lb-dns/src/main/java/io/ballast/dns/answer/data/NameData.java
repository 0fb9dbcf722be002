package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.wire.QueryName;
import org.jspecify.annotations.Nullable;

/**
 * The data of one name: answers by type, and possibly an alias, a delegation or a DNAME rewrite. A name
 * without any of these still exists, because there are names below it.
 */
public interface NameData {

    /** The source of answers of a type; null if the name has no such records. */
    public @Nullable AnswerSource answerFor(int type);

    /** The source of CNAME records, which answer all types for which {@link #answerFor} returns null. */
    public @Nullable AnswerSource alias();

    /**
     * Reads the target of an alias.
     *
     * @param selected the alias that {@link #alias} selected for the current query
     * @return wire length of the target
     */
    public int readAliasTarget(Answer selected, QueryName target);

    /** The delegation of this name and all names below it. */
    public @Nullable Referral referral();

    /** The DNAME record that rewrites the names below this name. */
    public @Nullable Rewrite rewrite();

    /** The proof of the record types that exist at this name; null in an unsigned zone. */
    public @Nullable NameProof proof();
}
