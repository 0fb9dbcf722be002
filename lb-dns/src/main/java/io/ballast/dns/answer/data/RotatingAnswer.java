package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRrset;

/**
 * A window of consecutive address records in a ring. The window starts one record later with every query of a thread.
 *
 * <p>The ring is stored twice in a row, so that every window is contiguous:
 *
 * <pre>
 *   1 2 3 4 1 2 3 4      4 addresses, 3 of them in an answer
 *       └───┘            the third answer
 * </pre>
 */
final class RotatingAnswer extends Answer {

    private final AddressRecords ring;
    private final int cursor;

    /**
     * @param cursor index of the cursor in the query context; its value selects the first record of the window
     */
    RotatingAnswer(AddressRecords ring, int window, int cursor, SignedRrset... signatures) {
        super(window, window * ring.recordBytes(), signatures);
        this.ring = ring;
        this.cursor = cursor;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new RotatingAnswer(ring, records(), cursor, ring.signWindows(records(), signer, ttlSeconds));
    }

    @Override
    public int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        int first = context.advance(cursor, ring.count());
        ring.copy(first, records(), out, at, owner);
        return ring.window(first, records());
    }
}
