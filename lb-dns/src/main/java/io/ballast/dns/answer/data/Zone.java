package io.ballast.dns.answer.data;

/**
 * A zone. All answer tables use the same object for it.
 *
 * @param apexBytes wire length of the zone name
 * @param number index of the zone's {@link ZoneTable} in an answer table; unchanged as long as a zone with
 *     this name exists
 * @param isMissing whether it is a secondary zone without data
 */
public record Zone(int apexBytes, int number, boolean isMissing) {

    /** Creates a zone that has data. */
    public Zone(int apexBytes, int number) {
        this(apexBytes, number, /* isMissing= */ false);
    }
}
