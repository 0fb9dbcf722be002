package io.ballast.dns.zone;

import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.StoredNames;
import io.ballast.dns.answer.ZoneAnswers;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.ZoneSigners;
import io.ballast.dns.zone.tree.NameTree;
import java.util.Map;
import org.xbill.DNS.Name;

/**
 * What the zones answer besides the addresses of services, compiled and signed with the keys of one moment. Immutable: who
 * changes an array copies it first.
 *
 * @param names all of them, with the answers of those that are no more than their records
 * @param answers of each other name by its index, without proofs, to which services add theirs
 * @param proven the same with proofs of the types of each name
 * @param zones what is the same for all names of a zone, by its number
 * @param signed the signed zones with their keys
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FixedAnswers(
        StoredNames names,
        NameAnswers[] answers,
        NameAnswers[] proven,
        ZoneAnswers[] zones,
        Map<Name, SignedZone> signed) {

    /** Compiles and signs all of it, which takes long for large zones. */
    static FixedAnswers compile(NameTree tree, ZoneSigners signers, SignedZones keys) {
        StoredNames names = tree.names(signers);
        NameAnswers[] answers = tree.answers(signers);
        NameAnswers[] proven = answers.clone();
        tree.prove(proven, signers);
        return new FixedAnswers(names, answers, proven, tree.common(signers), keys.current());
    }
}
