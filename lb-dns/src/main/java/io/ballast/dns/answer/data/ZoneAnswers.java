package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.presigned.DenialChain;
import org.jspecify.annotations.Nullable;

/**
 * The data of a zone snapshot that all its names share.
 *
 * @param negativeSoa the SOA record for the authority section of negative answers
 * @param signed the signing data of the zone; null if this server does not sign it
 * @param denial the denial chain of a zone that is signed by its primary; null if there is none
 */
public record ZoneAnswers(
        Answer negativeSoa,
        @Nullable SignedZone signed,
        @Nullable DenialChain denial) {

    /** Returns whether queries must not be answered, because this server does not have the keys of its cluster yet. */
    public boolean isWithheld() {
        return signed != null && signed.isWithheld();
    }

    /** Returns whether the zone has signatures, made by this server or by its primary. */
    public boolean hasSignatures() {
        return signed != null || denial != null;
    }
}
