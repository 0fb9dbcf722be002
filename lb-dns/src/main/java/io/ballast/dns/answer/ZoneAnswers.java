package io.ballast.dns.answer;

import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.presigned.DenialChain;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all names of a zone at one moment.
 *
 * @param negative the SOA record as it stands in the authority section of negative answers
 * @param signed how the zone is signed here; null if it is not
 * @param denial what proves that something does not exist in a zone that its primary has signed; null if none has
 */
public record ZoneAnswers(
        Answer negative,
        @Nullable SignedZone signed,
        @Nullable DenialChain denial) {

    /** Whether the zone has signatures, wherever they were made. */
    boolean hasSignatures() {
        return signed != null || denial != null;
    }
}
