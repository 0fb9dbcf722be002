package io.ballast.dns.forward.snapshot;

/** The format of the file. Its last 64 bits are the CRC-32 of all before. */
final class SnapshotFormat {

    /** "ballast" and the version. */
    static final long MAGIC = 0x62616c6c61737402L;

    static final int CHECKSUM_BYTES = Long.BYTES;

    /** An answer follows. */
    static final int ANSWER = 1;

    /** The number of answers follows, and nothing else. */
    static final int END = 0;

    private SnapshotFormat() {}
}
