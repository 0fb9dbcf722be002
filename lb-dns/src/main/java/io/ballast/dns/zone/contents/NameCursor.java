package io.ballast.dns.zone.contents;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Iterates over the names of a zone that have records, in their original order, without creating objects for names
 * and records.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class NameCursor {

    private final ZoneContents contents;
    private final RecordStore store;
    private int name = RecordStore.NONE;
    private int next;
    private long types;

    NameCursor(ZoneContents contents, RecordStore store) {
        this.contents = contents;
        this.store = store;
        this.next = store.firstName();
    }

    /** Advances to the next name; returns whether there is one. */
    public boolean next() {
        if (next == RecordStore.NONE) {
            return false;
        }
        name = next;
        next = store.nextName(name);
        types = store.types(name);
        return true;
    }

    /** The types of its records; see {@link TypeMask}. */
    public long types() {
        return types;
    }

    /** Whether the name has records of one of the types. */
    public boolean has(long someTypes) {
        return (types & someTypes) != 0;
    }

    /** Whether it has exactly one record. */
    public boolean hasSingleRecord() {
        return store.nextRecord(store.firstRecord(name)) == RecordStore.NONE;
    }

    /** Whether it is the name of the zone. */
    public boolean isApex() {
        return contents.isApex(name);
    }

    /** The number of labels before the name of the zone; 0 for the name of the zone itself. */
    public int labelsBelowApex() {
        return store.labels(name) - contents.apexLabels();
    }

    /** Whether one of its labels is an asterisk. */
    public boolean hasWildcardLabel() {
        return store.hasWildcardLabel(name);
    }

    /** Whether the name is below a delegation or a DNAME record, so that no query finds it. */
    public boolean isHidden() {
        return contents.isHidden(name);
    }

    /** The delegation or DNAME record that hides it; null if none does. */
    public @Nullable Name hidingName() {
        return isHidden() ? contents.hidingName(name()) : null;
    }

    /** The name, in lower case. */
    public Name name() {
        return store.name(name);
    }

    /** The addresses of its records of a type. */
    int[] records(int type) {
        int[] records = new int[4];
        int count = 0;
        for (int record = store.firstRecord(name); record != RecordStore.NONE; record = store.nextRecord(record)) {
            if (store.type(record) == type) {
                records = count < records.length ? records : Arrays.copyOf(records, 2 * count);
                records[count++] = record;
            }
        }
        return Arrays.copyOf(records, count);
    }

    /** Returns 32 bits of a record's data. */
    int dataWord(int record, int at) {
        return store.dataWord(record, at);
    }

    /** The records of one type; null if there are none. */
    public @Nullable RecordSet set(int type) {
        return has(TypeMask.of(type)) ? contents.set(name(), type) : null;
    }

    /** The record sets of the name by type. */
    public Map<Integer, RecordSet> sets() {
        return contents.sets(name, name());
    }
}
