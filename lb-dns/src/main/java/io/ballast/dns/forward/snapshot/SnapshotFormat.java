package io.ballast.dns.forward.snapshot;

/** The format of the snapshot file. Its last 64 bits are the CRC-32 of all preceding bytes. */
final class SnapshotFormat {

    /** "ballast" and the version. */
    static final long MAGIC = 0x62616c6c61737402L;

    static final int CHECKSUM_BYTES = Long.BYTES;

    /** Marks an answer, which follows. */
    static final int ANSWER_MARKER = 1;

    /** Marks the end: only the number of answers follows. */
    static final int END_MARKER = 0;

    private SnapshotFormat() {}
}
