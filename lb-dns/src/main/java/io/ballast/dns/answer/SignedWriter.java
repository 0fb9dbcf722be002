package io.ballast.dns.answer;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a validator needs into a response: record sets with their signatures, and proofs of what does not exist.
 * Most of it was made ahead; what was not is signed now, as far as there is time.
 *
 * <p>Thread safety: confined to one thread, which uses it for one query after the other.
 */
final class SignedWriter {

    private final ResponseWriter writer;
    private final OnDemandCounters counters;
    private @Nullable OnDemandSigner onDemand;
    private boolean compactOk;
    private boolean refused;

    /** @param counters told what is signed */
    SignedWriter(ResponseWriter writer, OnDemandCounters counters) {
        this.writer = writer;
        this.counters = counters;
    }

    /** From the next response on, it signs for the zones of these answers. What it signed before stays in mind. */
    void use(PublishedAnswers answers) {
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
    }

    /** Whether there was no time for a signature: nothing that was written may be sent. */
    boolean isRefused() {
        return refused;
    }

    /** Adds a set and its signature to the answer section, or sets TC if they do not fit. */
    boolean answer(SignedZone zone, Answer records, QueryName name, int owner, int apexPointer) {
        if (!writer.answer(records, owner, apexPointer)) {
            return false;
        }
        SignedRecords rrsig = signature(zone, records, name);
        return rrsig != null && writer.answer(rrsig, owner, apexPointer);
    }

    private boolean authority(SignedZone zone, Answer records, QueryName name, int owner, int apexPointer) {
        if (!writer.authority(records, owner, apexPointer)) {
            return false;
        }
        SignedRecords rrsig = signature(zone, records, name);
        return rrsig != null && writer.authority(rrsig, owner, apexPointer);
    }

    private @Nullable SignedRecords signature(SignedZone zone, Answer records, QueryName name) {
        int choice = writer.choice();
        SignedRecords known = records.rrsig(choice);
        return known != null ? known : inTime(signer().expansion(zone, name, records.set(choice)));
    }

    /** At a delegation: the DS records, or the proof that there are none. */
    void security(SignedZone zone, @Nullable Answer ds, @Nullable NameProof proof, QueryName name, int cut, int apex) {
        if (ds != null && ds.isSigned()) {
            authority(zone, ds, name, cut, apex);
        } else if (proof != null) {
            types(zone, proof, name, cut, apex);
        }
    }

    /** NODATA: the SOA record, and the types that the name has. */
    int noData(SignedZone zone, Answer soa, @Nullable NameProof proof, QueryName name, int owner, int apexPointer) {
        authority(zone, soa, name, apexPointer, apexPointer);
        if (proof != null) {
            types(zone, proof, name, owner, apexPointer);
        }
        return Rcode.NOERROR;
    }

    private void types(SignedZone zone, NameProof proof, QueryName name, int owner, int apexPointer) {
        SignedRecords known = proof.records();
        add(known != null ? known : inTime(signer().typesOf(zone, name, proof.types())), owner, apexPointer);
    }

    /**
     * NXDOMAIN: the SOA record, and the proof that neither the name nor a wildcard for it exists.
     *
     * @param encloser the proof of the closest encloser's types
     * @param encloserBytes its length on the wire
     * @return the response code: compact denial calls it NODATA unless the client knows better
     */
    int missing(
            SignedZone zone,
            Answer soa,
            @Nullable NameProof encloser,
            int encloserBytes,
            QueryName name,
            int owner,
            int apexPointer) {
        authority(zone, soa, name, apexPointer, apexPointer);
        if (!zone.isHashed()) {
            add(inTime(signer().missing(zone, name)), owner, apexPointer);
            return compactOk ? Rcode.NXDOMAIN : Rcode.NOERROR;
        }
        if (encloser != null && encloser.records() != null) {
            writer.authority(encloser.records(), owner, apexPointer);
        }
        SignedRecords nextCloser = inTime(signer().nextCloser(zone, name, encloserBytes));
        SignedRecords wildcard = inTime(signer().noWildcard(zone, name, encloserBytes));
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

    private OnDemandSigner signer() {
        if (onDemand == null) {
            throw new IllegalStateException("a signed zone without a signer");
        }
        return onDemand;
    }
}
