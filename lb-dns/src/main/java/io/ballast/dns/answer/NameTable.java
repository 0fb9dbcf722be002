package io.ballast.dns.answer;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * All names that exist, found by the keyed hash of their wire format: open addressing, at most half full.
 *
 * <p>Thread safety: immutable. Cost: one probe or two, however many names there are.
 */
final class NameTable {

    private final long[] hashes;
    private final @Nullable NameEntry[] names;
    private final int mask;

    NameTable(NameHash hash, Collection<NameEntry> all) {
        int capacity = Math.max(4, Integer.highestOneBit(all.size()) << 2);
        this.hashes = new long[capacity];
        this.names = new NameEntry[capacity];
        this.mask = capacity - 1;
        QueryName scratch = new QueryName(hash);
        for (NameEntry name : all) {
            scratch.read(name.wire(), 0, name.wire().length);
            scratch.hash();
            insert(scratch.hash(0), name);
        }
    }

    private void insert(long hash, NameEntry name) {
        int slot = (int) hash & mask;
        while (names[slot] != null) {
            slot = (slot + 1) & mask;
        }
        hashes[slot] = hash;
        names[slot] = name;
    }

    /** The name that a suffix of {@code query} is, null if no such name exists. */
    @Nullable NameEntry find(QueryName query, int suffix) {
        long hash = query.hash(suffix);
        for (int slot = (int) hash & mask; ; slot = (slot + 1) & mask) {
            NameEntry name = names[slot];
            if (name == null) {
                return null;
            }
            if (hashes[slot] == hash && query.suffixEquals(suffix, name.wire())) {
                return name;
            }
        }
    }
}
