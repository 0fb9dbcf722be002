package io.ballast.dns.dnssec.presigned;

import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the NSEC or NSEC3 records that prove an answer from a presigned zone, and collects them without duplicates.
 * They are written after the answer section. This also applies to the proof for a wildcard at the start of an alias
 * chain (<a href="https://datatracker.ietf.org/doc/html/rfc4035#section-3.1.3">RFC 4035 section 3.1.3</a>, <a
 * href="https://datatracker.ietf.org/doc/html/rfc5155#section-7.2">RFC 5155 section 7.2</a>).
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query. Cost: a search for each record; with NSEC3
 * also a hash of each name, three per query unless the zone uses opt-out. Allocates nothing.
 */
public final class DenialProofCollector {

    /**
     * Maximum number of records. It is enough for 16 aliases, each possibly synthesized from a wildcard, and a
     * final name with three records.
     */
    private static final int MAX = 64;

    private static final int WILDCARD_BYTES = 2;

    private final @Nullable DenialChain[] chains = new DenialChain[MAX];
    private final int[] addresses = new int[MAX];
    private final int[] apexPointers = new int[MAX];
    private int count;

    private final byte[] name = new byte[Wire.MAX_NAME_BYTES + NameHash.READ_AHEAD];
    private int nameBytes;
    private final byte[] wildcard = new byte[Wire.MAX_NAME_BYTES + WILDCARD_BYTES];
    private final byte[] key = new byte[CanonicalNameKey.MAX_BYTES + Nsec3Hasher.BYTES];
    private final CanonicalNameKey keys = new CanonicalNameKey();
    private final Nsec3Hasher hasher = new Nsec3Hasher();
    private final SignedRecords view = SignedRecords.view();

    /** Discards the collected records. */
    public void clear() {
        count = 0;
    }

    /** Releases all references to zones. */
    public void release() {
        count = 0;
        Arrays.fill(chains, null);
    }

    /** The number of collected records, each with its signatures. */
    public int count() {
        return count;
    }

    /** Returns a view of a collected record; every call returns the same view object. */
    public SignedRecords get(int index) {
        DenialChain chain = chains[index];
        if (chain == null) {
            throw new IndexOutOfBoundsException(index);
        }
        chain.moveTo(addresses[index], view);
        return view;
    }

    /** Returns the compression pointer to the zone name of a collected record. */
    public int apexPointer(int index) {
        return apexPointers[index];
    }

    /** Returns the NSEC record of a name with its signatures; null if the name has no NSEC record. */
    public @Nullable SignedRecords findNsec(DenialChain chain, QueryName queryName) {
        if (chain.hashParameters() != null) {
            return null;
        }
        readName(queryName);
        int address = chain.match(key, keys.write(name, 0, nameBytes, chain.apexBytes(), key));
        if (address == DenialChain.NONE) {
            return null;
        }
        chain.moveTo(address, view);
        return view;
    }

    /**
     * Adds the proof that an existing name has no records of a type.
     *
     * @param bytes length of the name, which is a suffix of {@code queryName}
     */
    public void addNoType(DenialChain chain, QueryName queryName, int bytes, int apexPointer) {
        readName(queryName);
        if (chain.hashParameters() == null) {
            addNsec(chain, name, nameBytes - bytes, nameBytes, apexPointer);
        } else {
            addClosest(chain, nameBytes - bytes, /* next= */ DenialChain.NONE, apexPointer);
        }
    }

    /**
     * Adds the proof that neither a name nor a matching wildcard exists.
     *
     * @param encloserBytes length of the closest encloser, which is a suffix of {@code queryName}
     */
    public void addNoName(DenialChain chain, QueryName queryName, int encloserBytes, int apexPointer) {
        readName(queryName);
        int encloser = nameBytes - encloserBytes;
        if (chain.hashParameters() != null) {
            encloser = addClosest(chain, encloser, nextCloser(encloser), apexPointer);
        } else {
            addNsec(chain, name, 0, nameBytes, apexPointer);
        }
        addWildcard(chain, encloser, apexPointer);
    }

    /**
     * Adds the proof that a wildcard matches a name because there is no closer match.
     *
     * @param encloserBytes length of the name above the wildcard, which is a suffix of {@code queryName}
     */
    public void addExpansion(DenialChain chain, QueryName queryName, int encloserBytes, int apexPointer) {
        readName(queryName);
        if (chain.hashParameters() == null) {
            addNsec(chain, name, 0, nameBytes, apexPointer);
        } else {
            addHashed(chain, name, nextCloser(nameBytes - encloserBytes), nameBytes, apexPointer);
        }
    }

    /**
     * Adds the proof that a wildcard matches a name because there is no closer match, and that the wildcard has
     * no records of the queried type.
     */
    public void addNoTypeOfWildcard(DenialChain chain, QueryName queryName, int encloserBytes, int apexPointer) {
        readName(queryName);
        int encloser = nameBytes - encloserBytes;
        if (chain.hashParameters() == null) {
            addNsec(chain, name, 0, nameBytes, apexPointer);
        } else {
            addClosest(chain, encloser, nextCloser(encloser), apexPointer);
        }
        addWildcard(chain, encloser, apexPointer);
    }

    private void readName(QueryName queryName) {
        nameBytes = queryName.length();
        queryName.copy(nameBytes, name);
    }

    /** The offset of the next closer name, which has one label more than the closest encloser. */
    private int nextCloser(int encloser) {
        int start = 0;
        while (start + 1 + name[start] < encloser) {
            start += 1 + name[start];
        }
        return start;
    }

    /**
     * Adds the record of the closest encloser, and the record that covers the next closer name. If the closest
     * encloser has no record, the closest name above it that has one is used instead. In a zone with opt-out,
     * unsigned delegations and their empty non-terminals have no records.
     *
     * @param from offset of the closest encloser in the name
     * @param next offset of the next closer name; {@link DenialChain#NONE} if the name itself exists
     * @return offset of the name whose record was added
     */
    private int addClosest(DenialChain chain, int from, int next, int apexPointer) {
        int encloser = from;
        int closer = next;
        int address = matchHash(chain, encloser);
        while (address == DenialChain.NONE && nameBytes - encloser > chain.apexBytes()) {
            closer = encloser;
            encloser += 1 + name[encloser];
            address = matchHash(chain, encloser);
        }
        add(chain, address, apexPointer);
        if (closer != DenialChain.NONE) {
            addHashed(chain, name, closer, nameBytes, apexPointer);
        }
        return encloser;
    }

    private int matchHash(DenialChain chain, int start) {
        hasher.hash(hashParameters(chain), name, start, nameBytes - start, key);
        return chain.match(key, Nsec3Hasher.BYTES);
    }

    private static Nsec3Parameters hashParameters(DenialChain chain) {
        Nsec3Parameters hashing = chain.hashParameters();
        if (hashing == null) {
            throw new IllegalArgumentException("the zone has NSEC records, not NSEC3");
        }
        return hashing;
    }

    /** Adds the record of the wildcard below a name, or the record that covers the wildcard. */
    private void addWildcard(DenialChain chain, int encloser, int apexPointer) {
        int length = nameBytes - encloser;
        wildcard[0] = 1;
        wildcard[1] = '*';
        System.arraycopy(name, encloser, wildcard, WILDCARD_BYTES, length);
        if (chain.hashParameters() == null) {
            addNsec(chain, wildcard, 0, WILDCARD_BYTES + length, apexPointer);
        } else {
            addHashed(chain, wildcard, 0, WILDCARD_BYTES + length, apexPointer);
        }
    }

    private void addNsec(DenialChain chain, byte[] of, int start, int end, int apexPointer) {
        int length = keys.write(of, start, end, chain.apexBytes(), key);
        add(chain, chain.matchOrCover(key, length), apexPointer);
    }

    private void addHashed(DenialChain chain, byte[] of, int start, int end, int apexPointer) {
        hasher.hash(hashParameters(chain), of, start, end - start, key);
        add(chain, chain.matchOrCover(key, Nsec3Hasher.BYTES), apexPointer);
    }

    @SuppressWarnings("ReferenceEquality") // each zone has one chain object
    private void add(DenialChain chain, int address, int apexPointer) {
        if (address == DenialChain.NONE || count == MAX) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if (addresses[i] == address && chains[i] == chain) {
                return;
            }
        }
        chains[count] = chain;
        addresses[count] = address;
        apexPointers[count] = apexPointer;
        count++;
    }
}
