package io.ballast.dns.answer;

/**
 * A name that exists.
 *
 * @param wire in lower case and wire format
 * @param index of its answers in the {@link AnswerTable}
 * @param zone the zone it belongs to, the innermost if zones are nested
 * @param wildcard index of the answers of the wildcard below it, {@link #NO_WILDCARD} if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read on every query
public record NameEntry(byte[] wire, int index, Zone zone, int wildcard) {

    public static final int NO_WILDCARD = -1;
}
