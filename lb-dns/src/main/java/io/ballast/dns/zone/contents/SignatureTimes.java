package io.ballast.dns.zone.contents;

import io.ballast.dns.wire.RecordType;
import java.time.Instant;

/**
 * The times at which the signatures of a presigned zone expire.
 *
 * @param expiration time at which the first signature expires
 * @param warning time at which the first signature has less than an eighth of its validity left; signers
 *     normally renew a signature while at least a quarter is left
 */
public record SignatureTimes(Instant expiration, Instant warning) {

    private static final int WARNING_DIVISOR = 8;
    private static final long SIGNATURES = TypeMask.of(RecordType.RRSIG);

    // Offsets in the data of an RRSIG record (RFC 4034 section 3.1).
    private static final int EXPIRATION_AT = 8;
    private static final int INCEPTION_AT = 12;

    /**
     * Reads the validity of signatures. Cost: a scan of the bytes of all records.
     *
     * @param contents contents of a zone with signatures
     * @param now current time; it determines the 136-year period of the times, which have 32 bits (RFC 4034 section
     *     3.1.5)
     */
    public static SignatureTimes of(ZoneContents contents, Instant now) {
        long first = Long.MAX_VALUE;
        long warned = Long.MAX_VALUE;
        for (NameCursor each = contents.cursor(); each.next(); ) {
            if (!each.has(SIGNATURES)) {
                continue;
            }
            for (int record : each.records(RecordType.RRSIG)) {
                long expiration = toEpochSeconds(each.dataWord(record, EXPIRATION_AT), now);
                long inception = toEpochSeconds(each.dataWord(record, INCEPTION_AT), now);
                first = Math.min(first, expiration);
                warned = Math.min(warned, expiration - Math.max(0, expiration - inception) / WARNING_DIVISOR);
            }
        }
        return new SignatureTimes(Instant.ofEpochSecond(first), Instant.ofEpochSecond(warned));
    }

    private static long toEpochSeconds(int seconds, Instant now) {
        long present = now.getEpochSecond();
        return present + (seconds - (int) present);
    }
}
