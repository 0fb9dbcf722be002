package io.ballast.dns.answer;

/**
 * A window onto a ring of address records, one record further with every query that a thread answers.
 *
 * <p>The ring is laid out twice, so every window is one piece:
 *
 * <pre>
 *   1 2 3 4 1 2 3 4      4 addresses, 3 of them in an answer
 *       └───┘            the third answer
 * </pre>
 */
final class RotatingAnswer extends Answer {

    private final AddressRecords ring;
    private final int cursor;

    /** @param cursor which of the context's cursors tells where the window is */
    RotatingAnswer(AddressRecords ring, int window, int cursor) {
        super(window, window * ring.recordBytes());
        this.ring = ring;
        this.cursor = cursor;
    }

    @Override
    void write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        ring.copy(context.advance(cursor, ring.count()), records(), out, at, owner);
    }
}
