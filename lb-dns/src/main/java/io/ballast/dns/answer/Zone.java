package io.ballast.dns.answer;

/**
 * A zone, the same in every table.
 *
 * @param apexBytes length of the zone's name on the wire
 * @param number of its {@link ZoneAnswers} in a table
 */
public record Zone(int apexBytes, int number) {}
