package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.answer.data.StoredNames;
import io.ballast.dns.answer.data.ZoneAnswers;
import io.ballast.dns.answer.data.ZoneTable;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.zone.contents.ZoneContents;
import org.jspecify.annotations.Nullable;

/**
 * The answers of one zone except the addresses of its services, compiled and signed with the same keys.
 *
 * <p>Thread safety: immutable; its arrays never change.
 */
public final class CompiledZone {

    private final ZoneNames source;
    private final @Nullable ZoneSigner signer;
    private final StoredNames names;
    private final NameAnswers[] answers;
    private final NameAnswers[] proven;
    private final ZoneAnswers zoneAnswers;

    /**
     * Creates a compiled zone.
     *
     * @param names all names; contains the answers only of names that are stored in encoded form
     * @param answers answers of the names that are not stored in encoded form, by index and without denial
     *     records; services add their answers to them
     * @param proven the same answers, with denial records that prove which types each name has
     * @param common data shared by all names
     */
    CompiledZone(
            ZoneNames source,
            @Nullable ZoneSigner signer,
            StoredNames names,
            NameAnswers[] answers,
            NameAnswers[] proven,
            ZoneAnswers common) {
        this.source = source;
        this.signer = signer;
        this.names = names;
        this.answers = answers;
        this.proven = proven;
        this.zoneAnswers = common;
    }

    /** Whether the zone was compiled from these names with the signatures of this signer. */
    @SuppressWarnings("ReferenceEquality") // unchanged names remain the same object, and so does their signer
    boolean isCompiledFrom(ZoneNames names, @Nullable ZoneSigner by) {
        return source == names && signer == by;
    }

    @SuppressWarnings("ReferenceEquality") // an unchanged signer remains the same object
    boolean isSignedBy(ZoneSigner by, ZoneContents contents) {
        return signer == by && source.contents() == contents;
    }

    StoredNames names() {
        return names;
    }

    ZoneNames source() {
        return source;
    }

    @SuppressWarnings("ReferenceEquality") // an unchanged signer remains the same object
    boolean hasSigner(@Nullable ZoneSigner by) {
        return signer == by;
    }

    NameAnswers[] copyOfAnswers() {
        return answers.clone();
    }

    NameAnswers[] copyOfProven() {
        return proven.clone();
    }

    /**
     * Returns the answers of the name with this index. They contain neither the answers of services nor NSEC or
     * NSEC3 records.
     */
    public NameAnswers answers(int index) {
        return answers[index];
    }

    /** Returns the table of the zone's own records; it contains no answers of services. */
    public ZoneTable table() {
        return new ZoneTable(source.zone(), names, proven, zoneAnswers);
    }
}
