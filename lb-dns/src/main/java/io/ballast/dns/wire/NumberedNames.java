package io.ballast.dns.wire;

/**
 * Maps names to numbers. A lookup costs one probe and allocates nothing.
 *
 * <p>Thread safety: filled by one thread; any thread may read it after {@link #trim}.
 */
public final class NumberedNames {

    /** The result if a name has no number. */
    public static final int NONE = -1;

    private final ByteArena arena = new ByteArena();
    /** The index of the names in the arena. In the arena, each name is followed by its number. */
    private final NameIndex index = new NameIndex(arena);

    private final QueryName name;

    /** @param hash the hash of the names to look up */
    public NumberedNames(NameHash hash) {
        this.name = new QueryName(hash);
    }

    /**
     * Adds a name.
     *
     * @param wire the name in lower case and wire format, which must not be present
     * @param number number of the name, 0 or more
     * @return the number of labels of the name
     */
    public int add(byte[] wire, int number) {
        int address = arena.reserve(1 + wire.length + Integer.BYTES);
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        chunk[at] = (byte) wire.length;
        System.arraycopy(wire, 0, chunk, at + 1, wire.length);
        Wire.putU32(chunk, at + 1 + wire.length, number);
        name.read(wire, 0, wire.length);
        name.hash();
        index.add(name.hash(0), address);
        return name.labels();
    }

    /** Releases the reserved space; nothing can be added afterwards. */
    public void trim() {
        arena.trim();
    }

    public boolean isEmpty() {
        return index.size() == 0;
    }

    /** Returns the number of a suffix of a hashed name; {@link #NONE} if the suffix has none. */
    public int find(QueryName of, int suffix) {
        int address = index.find(of, suffix);
        if (address == NameIndex.NONE) {
            return NONE;
        }
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        return Wire.u32(chunk, at + 1 + Wire.u8(chunk, at));
    }
}
