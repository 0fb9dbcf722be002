package io.ballast.dns.answer;

/**
 * What is the same for all names of a zone.
 *
 * @param apexBytes length of the zone's name on the wire
 * @param negative the SOA record as it stands in the authority section of negative answers
 */
public record Zone(int apexBytes, Answer negative) {}
