package io.ballast.dns.answer;

/**
 * A zone, the same in every table.
 *
 * @param apexBytes length of the zone's name on the wire
 * @param number of its {@link ZoneTable} in a table; a zone keeps it for as long as there is one of its name
 * @param isMissing whether it comes from another server, and there is nothing to answer from
 */
public record Zone(int apexBytes, int number, boolean isMissing) {

    /** One that there is. */
    public Zone(int apexBytes, int number) {
        this(apexBytes, number, /* isMissing= */ false);
    }
}
