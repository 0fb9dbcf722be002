package io.ballast.dns.answer;

import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.NameData;
import io.ballast.dns.answer.data.NameLookupResult;
import io.ballast.dns.answer.data.PublishedAnswers;
import io.ballast.dns.answer.data.ZoneAnswers;
import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.presigned.DenialChain;
import io.ballast.dns.dnssec.presigned.DenialProofCollector;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import org.jspecify.annotations.Nullable;

/**
 * Writes DNSSEC data into a response: record sets with their signatures, and proofs of non-existence. Most
 * signatures are made in advance, by this server or by the zone's primary. All other signatures are made on
 * demand, within a time budget.
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query.
 */
final class SignedWriter {

    private static final int WILDCARD_BYTES = 2;

    private final ResponseWriter writer;
    private final OnDemandCounters counters;
    private @Nullable OnDemandSigner onDemand;
    private final DenialProofCollector proofs = new DenialProofCollector();
    private boolean compactOk;
    private boolean refused;

    /** @param counters counters of the signatures that are made on demand */
    SignedWriter(ResponseWriter writer, OnDemandCounters counters) {
        this.writer = writer;
        this.counters = counters;
    }

    /** Uses the zones of {@code answers} from the next response on. Keeps cached signatures. */
    void use(PublishedAnswers answers) {
        proofs.release();
        if (onDemand == null) {
            onDemand = answers.signer(counters);
        }
    }

    /**
     * Starts a response.
     *
     * @param restoresNxdomain whether the client accepts NXDOMAIN with compact denial (RFC 9824 section 5)
     */
    void begin(boolean restoresNxdomain) {
        compactOk = restoresNxdomain;
        refused = false;
        proofs.clear();
    }

    /** Returns whether a signature exceeded the time budget. If so, the written records must not be sent. */
    boolean isRefused() {
        return refused;
    }

    /** Adds a record set and its signature to the answer section, or sets TC if they do not fit. */
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
            return true; // the primary signed only a part of the zone, and not this record set
        }
        SignedRecords rrsig = signature(zone, records, name);
        return rrsig != null && writer.authority(rrsig, owner, apexPointer);
    }

    private @Nullable SignedRecords signature(ZoneAnswers zone, Answer records, QueryName name) {
        int choice = writer.choice();
        SignedRecords known = records.rrsig(choice);
        return known != null
                ? known
                : checkInTime(signer().signExpansion(requireSignedZone(zone), name, records.set(choice)));
    }

    /** Adds the NSEC record of a name. Only zones signed by their primary store NSEC as a separate set. */
    boolean nsec(ZoneAnswers zone, QueryName name, boolean isDnssecOk, int owner, int apexPointer) {
        DenialChain chain = zone.denial();
        SignedRecords nsec = chain == null ? null : proofs.findNsec(chain, name);
        if (nsec == null) {
            return false;
        }
        if (!isDnssecOk) {
            nsec.truncateToFirst();
        }
        writer.answer(nsec, owner, apexPointer);
        return true;
    }

    /**
     * Adds the proof that the query name has no closer match than the wildcard. Called after the wildcard's
     * records were written. Only zones that their primary has signed need it.
     */
    void addWildcardProof(ZoneAnswers zone, NameLookupResult wildcard, QueryName name, int apexPointer) {
        DenialChain chain = zone.denial();
        if (chain != null) {
            proofs.addExpansion(chain, name, wildcard.ownerBytes() - WILDCARD_BYTES, apexPointer);
        }
    }

    /** Writes the pending proofs into the authority section. Called after the last answer. */
    void writeProofs() {
        for (int i = 0; i < proofs.count(); i++) {
            int apexPointer = proofs.apexPointer(i);
            writer.authority(proofs.get(i), apexPointer, apexPointer);
        }
        proofs.clear();
    }

    /** Writes the DS records of a delegation, or the proof that there are none. */
    void writeDsOrProof(
            ZoneAnswers zone,
            NameLookupResult cut,
            NameData answers,
            @Nullable Answer ds,
            QueryName name,
            int at,
            int apex) {
        DenialChain chain = zone.denial();
        NameProof proof = answers.proof();
        if (ds != null && ds.isSigned()) {
            authority(zone, ds, name, at, apex);
        } else if (chain != null) {
            proofs.addNoType(chain, name, cut.ownerBytes(), apex);
        } else if (proof != null) {
            addTypesProof(zone, proof, name, at, apex);
        }
        writeProofs();
    }

    /** Writes NODATA: the SOA record, and the NSEC or NSEC3 record that proves which types the name has. */
    int noData(
            ZoneAnswers zone,
            NameLookupResult at,
            @Nullable NameProof proof,
            QueryName name,
            int owner,
            int apexPointer) {
        authority(zone, zone.negativeSoa(), name, apexPointer, apexPointer);
        DenialChain chain = zone.denial();
        if (chain != null && at.kind() == NameLookupResult.Kind.WILDCARD) {
            proofs.addNoTypeOfWildcard(chain, name, at.ownerBytes() - WILDCARD_BYTES, apexPointer);
        } else if (chain != null) {
            proofs.addNoType(chain, name, name.length(), apexPointer);
        } else if (proof != null) {
            addTypesProof(zone, proof, name, owner, apexPointer);
        }
        writeProofs();
        return Rcode.NOERROR;
    }

    private void addTypesProof(ZoneAnswers zone, NameProof proof, QueryName name, int owner, int apexPointer) {
        SignedRecords known = proof.records();
        add(
                known != null ? known : checkInTime(signer().proveTypes(requireSignedZone(zone), name, proof.types())),
                owner,
                apexPointer);
    }

    /**
     * Writes NXDOMAIN: the SOA record, and the proof that neither the name nor a matching wildcard exists.
     *
     * @param at the closest encloser
     * @param encloser the proof of the record types of the closest encloser
     * @return the response code: NOERROR if the zone uses compact denial and the client does not accept NXDOMAIN with
     *     it; NXDOMAIN in all other cases
     */
    int writeNxdomain(
            ZoneAnswers zone,
            NameLookupResult at,
            @Nullable NameProof encloser,
            QueryName name,
            int owner,
            int apexPointer) {
        authority(zone, zone.negativeSoa(), name, apexPointer, apexPointer);
        DenialChain chain = zone.denial();
        if (chain != null) {
            proofs.addNoName(chain, name, at.ownerBytes(), apexPointer);
            writeProofs();
            return Rcode.NXDOMAIN;
        }
        writeProofs(); // writes the proofs for the aliases in other zones that led to this name
        SignedZone here = requireSignedZone(zone);
        if (!here.usesNsec3()) {
            add(checkInTime(signer().proveMissing(here, name)), owner, apexPointer);
            return compactOk ? Rcode.NXDOMAIN : Rcode.NOERROR;
        }
        if (encloser != null && encloser.records() != null) {
            writer.authority(encloser.records(), owner, apexPointer);
        }
        SignedRecords nextCloser = checkInTime(signer().proveNoNextCloser(here, name, at.ownerBytes()));
        SignedRecords wildcard = checkInTime(signer().proveNoWildcard(here, name, at.ownerBytes()));
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

    private @Nullable SignedRecords checkInTime(@Nullable SignedRecords records) {
        refused |= records == null;
        return records;
    }

    private static SignedZone requireSignedZone(ZoneAnswers zone) {
        SignedZone signed = zone.signed();
        if (signed == null) {
            throw new IllegalStateException("cannot sign a zone that is not signed here");
        }
        return signed;
    }

    private OnDemandSigner signer() {
        if (onDemand == null) {
            throw new IllegalStateException("no signer for a signed zone");
        }
        return onDemand;
    }
}
