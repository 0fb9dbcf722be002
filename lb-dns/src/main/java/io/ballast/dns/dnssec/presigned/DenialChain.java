package io.ballast.dns.dnssec.presigned;

import io.ballast.dns.dnssec.DnssecRecordType;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The NSEC or NSEC3 records of a zone with their signatures, sorted by their search keys. The keys are names
 * in canonical order, or hashes.
 *
 * <p>Thread safety: immutable. Memory: the records, and a few tens of bytes for each. Cost of a search:
 * logarithmic; allocates nothing.
 */
public final class DenialChain {

    /** Returned instead of an arena address if no record was found. */
    static final int NONE = -1;

    private static final int MAX_RECORDS = 0xff;

    private final ByteArena arena;
    /**
     * Address of each record in the arena, in the order of the keys. A stored record consists of 2 bytes of key
     * length, the key, 1 byte of owner label length, 1 byte of record count, 4 bytes of length, and the records
     * in the format of {@link SignedRecords}.
     */
    private final int[] addresses;

    private final int apexBytes;
    private final @Nullable Nsec3Parameters hashParameters;

    private DenialChain(Builder builder) {
        this.arena = builder.arena;
        this.addresses = builder.sorted();
        this.apexBytes = builder.apexBytes;
        this.hashParameters = builder.hashParameters;
    }

    /** Collects the records in any order. Thread safety: confined to one thread. */
    public static final class Builder {

        private static final int HASH_LABEL_BYTES = 33;

        private final ByteArena arena = new ByteArena();
        private final int apexBytes;
        private final @Nullable Nsec3Parameters hashParameters;
        private final CanonicalNameKey keys = new CanonicalNameKey();
        private final byte[] key = new byte[CanonicalNameKey.MAX_BYTES];
        private int[] addresses = new int[16];
        private int count;

        /**
         * @param apexBytes wire length of the zone name
         * @param hashing hash parameters; null for NSEC records
         */
        public Builder(int apexBytes, @Nullable Nsec3Parameters hashing) {
            this.apexBytes = apexBytes;
            this.hashParameters = hashing;
        }

        /**
         * Adds a record.
         *
         * @param owner owner in lower case and wire format
         * @param data RDATA of the record
         * @param rrsigs RDATA of its RRSIG records
         * @throws IllegalArgumentException if the owner of an NSEC3 record is not a hash
         */
        public void add(byte[] owner, int ttlSeconds, byte[] data, List<byte[]> rrsigs) {
            int keyBytes =
                    hashParameters == null ? keys.write(owner, 0, owner.length, apexBytes, key) : readHash(owner);
            int labelBytes = owner.length - apexBytes;
            List<byte[]> signatures = rrsigs.subList(0, Math.min(rrsigs.size(), MAX_RECORDS - 1));
            int type = hashParameters == null ? DnssecRecordType.NSEC : DnssecRecordType.NSEC3;
            byte[] records = SignedRecords.underOwner(owner, labelBytes, type, ttlSeconds, data, signatures);
            int address = arena.reserve(2 + keyBytes + 6 + records.length);
            byte[] chunk = arena.chunk(address);
            int at = ByteArena.offset(address);
            Wire.putU16(chunk, at, keyBytes);
            System.arraycopy(key, 0, chunk, at + 2, keyBytes);
            at += 2 + keyBytes;
            chunk[at] = (byte) labelBytes;
            chunk[at + 1] = (byte) (1 + signatures.size());
            Wire.putU32(chunk, at + 2, records.length);
            System.arraycopy(records, 0, chunk, at + 6, records.length);
            if (count == addresses.length) {
                addresses = Arrays.copyOf(addresses, 2 * count);
            }
            addresses[count++] = address;
        }

        private int readHash(byte[] owner) {
            if (owner.length - apexBytes != HASH_LABEL_BYTES || owner[0] != HASH_LABEL_BYTES - 1) {
                throw new IllegalArgumentException("the owner name of an NSEC3 record is not a valid hash");
            }
            long bits = 0;
            int held = 0;
            int length = 0;
            for (int at = 1; at < HASH_LABEL_BYTES; at++) {
                bits = bits << 5 | digit(owner[at]);
                held += 5;
                if (held >= 8) {
                    held -= 8;
                    key[length++] = (byte) (bits >> held);
                }
            }
            return length;
        }

        /** Decodes a base32 digit in the extended hex alphabet of RFC 4648 section 7. */
        private static int digit(byte letter) {
            if (letter >= '0' && letter <= '9') {
                return letter - '0';
            }
            if (letter >= 'a' && letter <= 'v') {
                return letter - 'a' + 10;
            }
            throw new IllegalArgumentException("the owner name of an NSEC3 record is not a valid hash");
        }

        private int[] sorted() {
            return IntStream.of(Arrays.copyOf(addresses, count))
                    .boxed()
                    .sorted(this::compare)
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private int compare(int one, int other) {
            byte[] left = arena.chunk(one);
            byte[] right = arena.chunk(other);
            int at = ByteArena.offset(one);
            int with = ByteArena.offset(other);
            return Arrays.compareUnsigned(
                    left, at + 2, at + 2 + Wire.u16(left, at), right, with + 2, with + 2 + Wire.u16(right, with));
        }

        /** Builds the chain; the builder must not be used afterwards. */
        public DenialChain build() {
            arena.trim();
            return new DenialChain(this);
        }
    }

    /** The number of records. */
    public int size() {
        return addresses.length;
    }

    int apexBytes() {
        return apexBytes;
    }

    /** The hash parameters; null for NSEC records. */
    @Nullable Nsec3Parameters hashParameters() {
        return hashParameters;
    }

    /** Returns the arena address of the record with the given key; {@link #NONE} if there is none. */
    int match(byte[] key, int length) {
        int place = binarySearch(key, length);
        return place >= 0 ? addresses[place] : NONE;
    }

    /**
     * Returns the arena address of the record with the given key. If there is none, returns the address of the
     * previous record, which covers the key. The last record covers the keys before the first record.
     */
    int matchOrCover(byte[] key, int length) {
        int place = binarySearch(key, length);
        if (place >= 0) {
            return addresses[place];
        }
        if (addresses.length == 0) {
            return NONE;
        }
        int before = ~place - 1;
        return addresses[before < 0 ? addresses.length - 1 : before];
    }

    private int binarySearch(byte[] key, int length) {
        int low = 0;
        int high = addresses.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            byte[] chunk = arena.chunk(addresses[middle]);
            int at = ByteArena.offset(addresses[middle]);
            int order = Arrays.compareUnsigned(chunk, at + 2, at + 2 + Wire.u16(chunk, at), key, 0, length);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return ~low;
    }

    /** Points the view at the record at {@code address} and at the record's signatures. */
    void moveTo(int address, SignedRecords view) {
        byte[] chunk = arena.chunk(address);
        int start = ByteArena.offset(address);
        int at = start + 2 + Wire.u16(chunk, start);
        view.proof(
                chunk,
                at + 6,
                Wire.u32(chunk, at + 2),
                /* isUnderName= */ false,
                Wire.u8(chunk, at),
                Wire.u8(chunk, at + 1));
    }
}
