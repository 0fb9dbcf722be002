package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The data of one name as separate objects. Names without services, wildcards or other special features use
 * {@link StoredName} instead.
 *
 * <p>Thread safety: immutable. Cost: linear in the number of record types of one name, which is small.
 */
public final class NameAnswers implements NameData {

    public static final NameAnswers NONE = new NameAnswers(new int[0], new AnswerSource[0], null, null, null, null);

    private final int[] types;
    private final AnswerSource[] answers;
    private final @Nullable AnswerSource alias;
    private final @Nullable Referral referral;
    private final @Nullable Rewrite rewrite;
    private final @Nullable NameProof proof;

    private NameAnswers(
            int[] types,
            AnswerSource[] answers,
            @Nullable AnswerSource alias,
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

    @Override
    public @Nullable AnswerSource answerFor(int type) {
        for (int i = 0; i < types.length; i++) {
            if (types[i] == type) {
                return answers[i];
            }
        }
        return null;
    }

    @Override
    public @Nullable AnswerSource alias() {
        return alias;
    }

    @Override
    public int readAliasTarget(Answer selected, QueryName target) {
        byte[] name = ((Alias) selected).target();
        target.read(name, 0, name.length);
        return name.length;
    }

    @Override
    public @Nullable Referral referral() {
        return referral;
    }

    @Override
    public @Nullable Rewrite rewrite() {
        return rewrite;
    }

    @Override
    public @Nullable NameProof proof() {
        return proof;
    }

    /** The types of the records, without the pseudo-type ANY. */
    public int[] types() {
        return IntStream.of(types).filter(type -> type != RecordType.ANY).toArray();
    }

    /**
     * Returns a copy in which unsigned answers are signed.
     *
     * @param signer signer for the name
     * @param ttlSeconds highest TTL of the served records
     */
    public NameAnswers signed(SetSigner signer, int ttlSeconds) {
        AnswerSource[] signed = new AnswerSource[answers.length];
        Arrays.setAll(signed, i -> answers[i].signed(signer, ttlSeconds));
        return new NameAnswers(types, signed, alias, referral, rewrite, proof);
    }

    /** Returns a copy with an additional answer, which replaces an existing answer of the same type. */
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

    /**
     * Returns a copy with an alias.
     *
     * @param source the source that selects an {@link Alias}, or SERVFAIL if no alias is available
     */
    public NameAnswers withAlias(AnswerSource source) {
        return new NameAnswers(types, answers, source, referral, rewrite, proof);
    }

    public NameAnswers with(Referral newReferral) {
        return new NameAnswers(types, answers, alias, newReferral, rewrite, proof);
    }

    public NameAnswers with(Rewrite newRewrite) {
        return new NameAnswers(types, answers, alias, referral, newRewrite, proof);
    }

    public NameAnswers with(NameProof newProof) {
        return new NameAnswers(types, answers, alias, referral, rewrite, newProof);
    }
}
