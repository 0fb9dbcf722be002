package io.ballast.dns.answer;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.wire.RecordType;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answers that one name has, by type, and what else may stand at a name: an alias, a delegation, a rewriting of all
 * names below. A name without any exists all the same: there are names below it.
 *
 * <p>Thread safety: immutable. Cost: linear in the types of one name, which are few.
 */
public final class NameAnswers {

    public static final NameAnswers NONE = new NameAnswers(new int[0], new AnswerSource[0], null, null, null, null);

    private final int[] types;
    private final AnswerSource[] answers;
    private final @Nullable Alias alias;
    private final @Nullable Referral referral;
    private final @Nullable Rewrite rewrite;
    private final @Nullable NameProof proof;

    private NameAnswers(
            int[] types,
            AnswerSource[] answers,
            @Nullable Alias alias,
            @Nullable Referral referral,
            @Nullable Rewrite rewrite,
            @Nullable NameProof proof) {
        this.types = types;
        this.answers = answers;
        this.alias = alias;
        this.referral = referral;
        this.rewrite = rewrite;
        this.proof = proof;
    }

    @Nullable AnswerSource of(int type) {
        for (int i = 0; i < types.length; i++) {
            if (types[i] == type) {
                return answers[i];
            }
        }
        return null;
    }

    /** What answers the types that {@link #of} does not. */
    @Nullable Alias alias() {
        return alias;
    }

    /** Where the servers of this name and of all below it are. */
    @Nullable Referral referral() {
        return referral;
    }

    /** What becomes of the names below. */
    @Nullable Rewrite rewrite() {
        return rewrite;
    }

    /** What proves which types there are; null in a zone that is not signed. */
    @Nullable NameProof proof() {
        return proof;
    }

    /** The types that there are; ANY is none. */
    public int[] types() {
        return IntStream.of(types).filter(type -> type != RecordType.ANY).toArray();
    }

    /**
     * These answers, with signatures where they have none.
     *
     * @param signer for the name
     * @param ttlSeconds the longest TTL with which the records are ever served
     */
    public NameAnswers signed(SetSigner signer, int ttlSeconds) {
        AnswerSource[] signed = new AnswerSource[answers.length];
        Arrays.setAll(signed, i -> answers[i].signed(signer, ttlSeconds));
        return new NameAnswers(types, signed, alias, referral, rewrite, proof);
    }

    /** These answers and one more, which replaces that of the same type. */
    public NameAnswers with(int type, AnswerSource answer) {
        int place = 0;
        while (place < types.length && types[place] != type) {
            place++;
        }
        int[] nextTypes = Arrays.copyOf(types, Math.max(types.length, place + 1));
        AnswerSource[] nextAnswers = Arrays.copyOf(answers, nextTypes.length);
        nextTypes[place] = type;
        nextAnswers[place] = answer;
        return new NameAnswers(nextTypes, nextAnswers, alias, referral, rewrite, proof);
    }

    public NameAnswers with(Alias leads) {
        return new NameAnswers(types, answers, leads, referral, rewrite, proof);
    }

    public NameAnswers with(Referral leads) {
        return new NameAnswers(types, answers, alias, leads, rewrite, proof);
    }

    public NameAnswers with(Rewrite leads) {
        return new NameAnswers(types, answers, alias, referral, leads, proof);
    }

    public NameAnswers with(NameProof ofTypes) {
        return new NameAnswers(types, answers, alias, referral, rewrite, ofTypes);
    }
}
