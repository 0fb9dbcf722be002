package io.ballast.dns.answer;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.presigned.DenialChain;
import io.ballast.dns.dnssec.presigned.DenialProofs;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a validator needs into a response: record sets with their signatures, and proofs of what does not exist.
 * Most of it was made ahead, here or by the primary of the zone; what was not is signed now, as far as there is time.
 *
 * <p>Thread safety: confined to one thread, which uses it for one query after the other.
 */
final class SignedWriter {

    private static final int WILDCARD_BYTES = 2;

    private final ResponseWriter writer;
    private final OnDemandCounters counters;
    private @Nullable OnDemandSigner onDemand;
    private final DenialProofs proofs = new DenialProofs();
    private boolean compactOk;
    private boolean refused;

    /** @param counters told what is signed */
    SignedWriter(ResponseWriter writer, OnDemandCounters counters) {
        this.writer = writer;
        this.counters = counters;
    }

    /** From the next response on, it signs for the zones of these answers. What it signed before stays in mind. */
    void use(PublishedAnswers answers) {
        proofs.release();
        if (onDemand == null) {
            onDemand = answers.signer(counters);
        }
    }

    /**
     * Starts a response.
     *
     * @param restoresNxdomain whether the client takes NXDOMAIN with compact denial (RFC 9824 section 5)
     */
    void begin(boolean restoresNxdomain) {
        compactOk = restoresNxdomain;
        refused = false;
        proofs.clear();
    }

    /** Whether there was no time for a signature: nothing that was written may be sent. */
    boolean isRefused() {
        return refused;
    }

    /** Adds a set and its signature to the answer section, or sets TC if they do not fit. */
    boolean answer(ZoneAnswers zone, Answer records, QueryName name, int owner, int apexPointer) {
        if (!writer.answer(records, owner, apexPointer)) {
            return false;
        }
        SignedRecords rrsig = signature(zone, records, name);
        return rrsig != null && writer.answer(rrsig, owner, apexPointer);
    }

    private boolean authority(ZoneAnswers zone, Answer records, QueryName name, int owner, int apexPointer) {
        if (!writer.authority(records, owner, apexPointer)) {
            return false;
        }
        if (!records.isSigned()) {
            return true; // of a zone that its primary has signed in part
        }
        SignedRecords rrsig = signature(zone, records, name);
        return rrsig != null && writer.authority(rrsig, owner, apexPointer);
    }

    private @Nullable SignedRecords signature(ZoneAnswers zone, Answer records, QueryName name) {
        int choice = writer.choice();
        SignedRecords known = records.rrsig(choice);
        return known != null ? known : inTime(signer().expansion(signedHere(zone), name, records.set(choice)));
    }

    /** Adds the NSEC record of a name, which has one as a set of its own only in zones that their primary has signed. */
    boolean nsec(ZoneAnswers zone, QueryName name, boolean isDnssecOk, int owner, int apexPointer) {
        DenialChain chain = zone.denial();
        SignedRecords nsec = chain == null ? null : proofs.ofName(chain, name);
        if (nsec == null) {
            return false;
        }
        if (!isDnssecOk) {
            nsec.firstOnly();
        }
        writer.answer(nsec, owner, apexPointer);
        return true;
    }

    /** The records of a wildcard at a place stand in the answer section: its primary's zone proves that nothing closer exists. */
    void expanded(ZoneAnswers zone, Place wildcard, QueryName name, int apexPointer) {
        DenialChain chain = zone.denial();
        if (chain != null) {
            proofs.expansion(chain, name, wildcard.ownerBytes() - WILDCARD_BYTES, apexPointer);
        }
    }

    /** Writes the proofs that were found and not written yet into the authority section; after the last answer. */
    void writeProofs() {
        for (int i = 0; i < proofs.count(); i++) {
            int apexPointer = proofs.apexPointer(i);
            writer.authority(proofs.get(i), apexPointer, apexPointer);
        }
        proofs.clear();
    }

    /** At a delegation: the DS records, or the proof that there are none. */
    void security(
            ZoneAnswers zone, Place cut, NameData answers, @Nullable Answer ds, QueryName name, int at, int apex) {
        DenialChain chain = zone.denial();
        NameProof proof = answers.proof();
        if (ds != null && ds.isSigned()) {
            authority(zone, ds, name, at, apex);
        } else if (chain != null) {
            proofs.noType(chain, name, cut.ownerBytes(), apex);
        } else if (proof != null) {
            types(zone, proof, name, at, apex);
        }
        writeProofs();
    }

    /** NODATA: the SOA record, and the types that the name has. */
    int noData(ZoneAnswers zone, Place at, @Nullable NameProof proof, QueryName name, int owner, int apexPointer) {
        authority(zone, zone.negative(), name, apexPointer, apexPointer);
        DenialChain chain = zone.denial();
        if (chain != null && at.kind() == Place.Kind.WILDCARD) {
            proofs.noTypeOfWildcard(chain, name, at.ownerBytes() - WILDCARD_BYTES, apexPointer);
        } else if (chain != null) {
            proofs.noType(chain, name, name.length(), apexPointer);
        } else if (proof != null) {
            types(zone, proof, name, owner, apexPointer);
        }
        writeProofs();
        return Rcode.NOERROR;
    }

    private void types(ZoneAnswers zone, NameProof proof, QueryName name, int owner, int apexPointer) {
        SignedRecords known = proof.records();
        add(
                known != null ? known : inTime(signer().typesOf(signedHere(zone), name, proof.types())),
                owner,
                apexPointer);
    }

    /**
     * NXDOMAIN: the SOA record, and the proof that neither the name nor a wildcard for it exists.
     *
     * @param at the closest encloser
     * @param encloser the proof of its types
     * @return the response code: compact denial calls it NODATA unless the client knows better
     */
    int missing(ZoneAnswers zone, Place at, @Nullable NameProof encloser, QueryName name, int owner, int apexPointer) {
        authority(zone, zone.negative(), name, apexPointer, apexPointer);
        DenialChain chain = zone.denial();
        if (chain != null) {
            proofs.noName(chain, name, at.ownerBytes(), apexPointer);
            writeProofs();
            return Rcode.NXDOMAIN;
        }
        writeProofs(); // of aliases that led here from other zones
        SignedZone here = signedHere(zone);
        if (!here.isHashed()) {
            add(inTime(signer().missing(here, name)), owner, apexPointer);
            return compactOk ? Rcode.NXDOMAIN : Rcode.NOERROR;
        }
        if (encloser != null && encloser.records() != null) {
            writer.authority(encloser.records(), owner, apexPointer);
        }
        SignedRecords nextCloser = inTime(signer().nextCloser(here, name, at.ownerBytes()));
        SignedRecords wildcard = inTime(signer().noWildcard(here, name, at.ownerBytes()));
        add(nextCloser, owner, apexPointer);
        if (wildcard != nextCloser) {
            add(wildcard, owner, apexPointer);
        }
        return Rcode.NXDOMAIN;
    }

    private void add(@Nullable SignedRecords records, int owner, int apexPointer) {
        if (records != null) {
            writer.authority(records, owner, apexPointer);
        }
    }

    private @Nullable SignedRecords inTime(@Nullable SignedRecords records) {
        refused |= records == null;
        return records;
    }

    private static SignedZone signedHere(ZoneAnswers zone) {
        SignedZone signed = zone.signed();
        if (signed == null) {
            throw new IllegalStateException("a signature to be made for a zone that is not signed here");
        }
        return signed;
    }

    private OnDemandSigner signer() {
        if (onDemand == null) {
            throw new IllegalStateException("a signed zone without a signer");
        }
        return onDemand;
    }
}
