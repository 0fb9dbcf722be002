package io.ballast.dns.answer.data;

import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds zones by name. Successive answer tables share the index as long as the set of zones does not change.
 *
 * <p>Thread safety: immutable. Cost: one or two probes per name, independent of the number of zones;
 * allocates nothing.
 */
public final class ApexIndex {

    /** Zone number if no zone was found. */
    static final int NONE = -1;

    private final ByteArena arena = new ByteArena();
    private final NameIndex index = new NameIndex(arena);
    private int maxLabels;

    private ApexIndex() {}

    /**
     * Returns an index of zones.
     *
     * @param hash hash of names
     * @param apexes zone names in lower case and wire format, by zone number; null for a number without a zone
     */
    public static ApexIndex of(NameHash hash, List<byte @Nullable []> apexes) {
        ApexIndex made = new ApexIndex();
        QueryName name = new QueryName(hash);
        byte[] entry = new byte[1 + Wire.MAX_NAME_BYTES + Integer.BYTES];
        for (int number = 0; number < apexes.size(); number++) {
            byte[] apex = apexes.get(number);
            if (apex != null) {
                made.add(apex, number, name, entry);
            }
        }
        made.arena.trim();
        return made;
    }

    private void add(byte[] apex, int number, QueryName name, byte[] entry) {
        name.read(apex, 0, apex.length);
        name.hash();
        entry[0] = (byte) apex.length;
        System.arraycopy(apex, 0, entry, 1, apex.length);
        Wire.putU32(entry, 1 + apex.length, number);
        index.add(name.hash(0), arena.add(entry, 1 + apex.length + Integer.BYTES));
        maxLabels = Math.max(maxLabels, name.labels());
    }

    /**
     * Returns the first suffix of a name that can be a zone name. All longer suffixes have more labels than any
     * zone.
     */
    int first(QueryName name) {
        return Math.max(0, name.labels() - maxLabels);
    }

    /** The number of the zone whose name is the given suffix of a hashed name; {@link #NONE} if there is none. */
    int number(QueryName name, int suffix) {
        int address = index.find(name, suffix);
        if (address == NameIndex.NONE) {
            return NONE;
        }
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        return Wire.u32(chunk, at + 1 + Wire.u8(chunk, at));
    }
}
