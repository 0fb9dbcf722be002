package io.ballast.dns.zone.contents;

import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * Builds the contents of a zone from records that are added one by one. Thread safety: confined to one
 * thread.
 */
public final class ZoneContentsBuilder {

    /** Mask of the record count: the budget is checked every 256 records. */
    private static final int BUDGET_CHECK_MASK = 255;

    private final Name apex;
    private final RecordStore store;
    private final QueryName scratch = RecordStore.newQueryName();
    private final HeapBudget budget;
    private final boolean signed;
    private long records;
    /** Bytes of the records beyond the memory limit, which are counted but not stored. */
    private long countedBytes;

    /**
     * Addresses (in the record store) of the names that have lost all records but are still in the store's list
     * of names.
     */
    private final Set<Integer> removed = new HashSet<>();

    ZoneContentsBuilder(Name apex) {
        this(apex, new HeapBudget(Long.MAX_VALUE, Long.MAX_VALUE), /* signed= */ false);
    }

    /**
     * Creates an empty builder.
     *
     * @param budget memory limit; records beyond it are only counted
     * @param signed whether the zone will be signed
     */
    public ZoneContentsBuilder(Name apex, HeapBudget budget, boolean signed) {
        this.apex = apex;
        this.budget = budget;
        this.signed = signed;
        this.store = new RecordStore();
    }

    /** Creates a builder with a copy of the records of a zone. */
    ZoneContentsBuilder(Name apex, RecordStore from) {
        this.apex = apex;
        this.budget = new HeapBudget(Long.MAX_VALUE, Long.MAX_VALUE);
        this.signed = false;
        this.store = from.copy();
    }

    /** Replaces all records of a name; an empty list removes the name. */
    void replace(Name name, Map<Integer, RecordSet> sets) {
        read(name.toWire());
        int address = store.find(scratch, 0);
        if (address != NameIndex.NONE) {
            store.dropRecords(address);
        }
        if (sets.isEmpty()) {
            if (address != NameIndex.NONE) {
                store.removeName(scratch, address);
                removed.add(address);
            }
            return;
        }
        int nameAddress = address == NameIndex.NONE ? store.addName(scratch) : address;
        for (RecordSet set : sets.values()) {
            for (Record each : set.records()) {
                store.addRecord(nameAddress, scratch, each.toWire(Section.ANSWER), set.ttlOf(each));
            }
        }
    }

    /** @param wire the bytes of the name in wire format; other bytes may follow */
    private void read(byte[] wire) {
        scratch.read(wire, 0, wire.length);
        scratch.hash();
    }

    /** Adds a record. */
    public void add(Record each) {
        records++;
        if (countedBytes > 0 || ((records & BUDGET_CHECK_MASK) == 0 && !budget.allows(neededBytes()))) {
            countedBytes += RecordStore.NAME_BYTES
                    + RecordStore.DATA
                    + NameIndex.BYTES_PER_NAME
                    + each.toWire(Section.ANSWER).length;
            return;
        }
        byte[] wire = each.toWire(Section.ANSWER);
        read(wire);
        int name = store.find(scratch, 0);
        store.addRecord(name == NameIndex.NONE ? store.addName(scratch) : name, scratch, wire, each.getTTL());
    }

    /** Returns the heap memory, in bytes, that the zone needs while it is served. */
    public long neededBytes() {
        // Assumes that each record that was counted but not stored has a name of its own, as most records do.
        long names = store.size() + (countedBytes > 0 ? records : 0);
        return HeapBudget.bytes(store.bytes() + countedBytes, names, records, signed);
    }

    /** Whether all records were stored. */
    public boolean isComplete() {
        return countedBytes == 0;
    }

    /** Returns the added records; nothing can be added afterwards. */
    public ZoneContents build() {
        return new ZoneContents(apex, finish());
    }

    /** Completes and returns the store of the records. */
    RecordStore finish() {
        if (!removed.isEmpty()) {
            store.unlink(removed);
        }
        store.trim();
        return store;
    }
}
