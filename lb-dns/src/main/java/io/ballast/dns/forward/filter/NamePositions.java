package io.ballast.dns.forward.filter;

import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.List;

/**
 * Maps names to their indexes in a list. Immutable. A lookup costs one probe and allocates nothing.
 */
final class NamePositions {

    static final int NONE = -1;

    private final ByteArena arena = new ByteArena();
    /** The index of the names in the arena. In the arena, each name is followed by its index in the list. */
    private final NameIndex index = new NameIndex(arena);

    /**
     * @param hash the hash of the names to look up
     * @param names unique names in lower case without their last dots
     */
    NamePositions(NameHash hash, List<String> names) {
        QueryName name = new QueryName(hash);
        for (int i = 0; i < names.size(); i++) {
            add(name, RuleName.toWireFormat(names.get(i)), i);
        }
        arena.trim();
    }

    private void add(QueryName name, byte[] wire, int position) {
        int address = arena.reserve(1 + wire.length + Integer.BYTES);
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        chunk[at] = (byte) wire.length;
        System.arraycopy(wire, 0, chunk, at + 1, wire.length);
        Wire.putU32(chunk, at + 1 + wire.length, position);
        name.read(wire, 0, wire.length);
        name.hash();
        index.add(name.hash(0), address);
    }

    /**
     * Returns the position of a suffix of a hashed name; {@link #NONE} if the list does not contain the suffix.
     */
    int find(QueryName name, int suffix) {
        int address = index.find(name, suffix);
        if (address == NameIndex.NONE) {
            return NONE;
        }
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        return Wire.u32(chunk, at + 1 + Wire.u8(chunk, at));
    }

    /**
     * Returns the position of the longest name in the list that is equal to the given name or a parent of it;
     * {@link #NONE} if no name matches.
     */
    int findClosestEncloser(QueryName name) {
        if (index.size() == 0) {
            return NONE;
        }
        for (int suffix = 0; suffix < name.labels(); suffix++) {
            int position = find(name, suffix);
            if (position != NONE) {
                return position;
            }
        }
        return NONE;
    }
}
