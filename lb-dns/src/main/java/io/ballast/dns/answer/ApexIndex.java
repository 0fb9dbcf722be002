package io.ballast.dns.answer;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.OctetArena;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds zones by their names. Stays the same from table to table as long as the zones are the same ones.
 *
 * <p>Thread safety: immutable. Cost: one probe or two for a name, however many zones there are; allocates nothing.
 */
public final class ApexIndex {

    /** No such zone. */
    static final int NONE = -1;

    private final OctetArena arena = new OctetArena();
    private final NameIndex index = new NameIndex(arena);
    private int mostLabels;

    private ApexIndex() {}

    /**
     * An index of zones.
     *
     * @param hash by which names are looked up
     * @param apexes names of zones in lower case and wire format, by the number of the zone; null for a number without a zone
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
        mostLabels = Math.max(mostLabels, name.labels());
    }

    /** The first suffix of a name that may be the name of a zone: those before have more labels than any zone. */
    int first(QueryName name) {
        return Math.max(0, name.labels() - mostLabels);
    }

    /** The number of the zone that a suffix of a name, which is hashed, is the name of; {@link #NONE} if there is none. */
    int number(QueryName name, int suffix) {
        int address = index.find(name, suffix);
        if (address == NameIndex.NONE) {
            return NONE;
        }
        byte[] chunk = arena.chunk(address);
        int at = OctetArena.offset(address);
        return Wire.u32(chunk, at + 1 + Wire.u8(chunk, at));
    }
}
