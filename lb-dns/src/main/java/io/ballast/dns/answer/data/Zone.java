package io.ballast.dns.answer.data;

/**
 * A zone; the same object in every answer table.
 *
 * @param apexBytes wire length of the zone name
 * @param number index of its {@link ZoneTable} in a table; kept as long as a zone of this name exists
 * @param isMissing whether it is a secondary zone without data
 */
public record Zone(int apexBytes, int number, boolean isMissing) {

    /** Creates a zone that has data. */
    public Zone(int apexBytes, int number) {
        this(apexBytes, number, /* isMissing= */ false);
    }
}
