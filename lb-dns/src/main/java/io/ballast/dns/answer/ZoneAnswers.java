package io.ballast.dns.answer;

import io.ballast.dns.dnssec.SignedZone;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all names of a zone at one moment.
 *
 * @param negative the SOA record as it stands in the authority section of negative answers
 * @param signed how the zone is signed; null if it is not
 */
public record ZoneAnswers(Answer negative, @Nullable SignedZone signed) {}
