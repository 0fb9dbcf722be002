package io.ballast.dns.forward.snapshot;

/** The format of the snapshot file. Its last 64 bits are the CRC-32 of all preceding bytes. */
final class SnapshotFormat {

    /** The first bytes of the file: "ballast" and the format version. */
    static final long MAGIC = 0x62616c6c61737402L;

    static final int CHECKSUM_BYTES = Long.BYTES;

    /** Marks that an answer follows. */
    static final int ANSWER_MARKER = 1;

    /** Marks the end of the answers; only the number of answers follows. */
    static final int END_MARKER = 0;

    private SnapshotFormat() {}
}
