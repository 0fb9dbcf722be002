package io.ballast.dns.zone.contents;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Iterates over the names of a zone that have records, in their original order, without creating an object
 * for each name or record.
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

    /** Returns the record types of the current name; see {@link TypeMask}. */
    public long types() {
        return types;
    }

    /** Whether the current name has records of one of the types. */
    public boolean has(long someTypes) {
        return (types & someTypes) != 0;
    }

    /** Whether the current name has exactly one record. */
    public boolean hasSingleRecord() {
        return store.nextRecord(store.firstRecord(name)) == RecordStore.NONE;
    }

    /** Whether the current name is the zone apex. */
    public boolean isApex() {
        return contents.isApex(name);
    }

    /** Returns the number of labels between the zone apex and the current name; 0 for the apex itself. */
    public int labelsBelowApex() {
        return store.labels(name) - contents.apexLabels();
    }

    /** Whether one of the labels of the current name is an asterisk. */
    public boolean hasWildcardLabel() {
        return store.hasWildcardLabel(name);
    }

    /** Whether the name is below a delegation or a DNAME record, so that no query finds it. */
    public boolean isHidden() {
        return contents.isHidden(name);
    }

    /** Returns the owner of the delegation or DNAME record that hides the current name; null if none does. */
    public @Nullable Name hidingName() {
        return isHidden() ? contents.hidingName(name()) : null;
    }

    /** Returns the current name in lower case. */
    public Name name() {
        return store.name(name);
    }

    /** Returns the store addresses of the current name's records of a type. */
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

    /** Returns the 32 bits at offset {@code at} of a record's data. */
    int dataWord(int record, int at) {
        return store.dataWord(record, at);
    }

    /** The records of one type; null if there are none. */
    public @Nullable RecordSet set(int type) {
        return has(TypeMask.of(type)) ? contents.set(name, name(), type) : null;
    }

    /** The record sets of the name by type. */
    public Map<Integer, RecordSet> sets() {
        return contents.sets(name, name());
    }
}
