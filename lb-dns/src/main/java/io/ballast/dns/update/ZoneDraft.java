package io.ballast.dns.update;

import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * A zone with pending changes: the base records, overlaid with the changed names. A draft can be based on
 * another draft, so that it can be discarded as a whole. Confined to one thread. Memory: linear in the
 * changed names.
 */
final class ZoneDraft {

    private final ZoneContents contents;
    private final @Nullable ZoneDraft baseDraft;
    private final Map<Name, Map<Integer, RecordSet>> changedSets = new LinkedHashMap<>();

    @FunctionalInterface
    interface Sink {
        void accept(Record record) throws IOException;
    }

    ZoneDraft(ZoneContents contents) {
        this(contents, /* below= */ null);
    }

    private ZoneDraft(ZoneContents contents, @Nullable ZoneDraft below) {
        this.contents = contents;
        this.baseDraft = below;
    }

    /** Returns a new draft that is based on this one. */
    ZoneDraft newOverlay() {
        return new ZoneDraft(contents, this);
    }

    /** Applies the changes of a draft that is based on this one. */
    void merge(ZoneDraft finished) {
        changedSets.putAll(finished.changedSets);
    }

    Name apex() {
        return contents.apex();
    }

    /** Returns the record sets of a name by type; empty if the name has no records. */
    Map<Integer, RecordSet> sets(Name name) {
        Map<Integer, RecordSet> own = changedSets.get(name);
        if (own != null) {
            return own;
        }
        return baseDraft == null ? contents.sets(name) : baseDraft.sets(name);
    }

    @Nullable RecordSet set(Name name, int type) {
        return sets(name).get(type);
    }

    SOARecord soa() {
        RecordSet set = set(apex(), Type.SOA);
        if (set == null) {
            throw new IllegalStateException(apex() + ": the zone has no SOA record");
        }
        return (SOARecord) set.records().get(0);
    }

    /** Adds a record set, which replaces an existing set of the same name and type. */
    void put(RecordSet set) {
        mutableSets(set.owner()).put(set.type(), set);
    }

    void remove(Name name, int type) {
        if (sets(name).containsKey(type)) {
            mutableSets(name).remove(type);
        }
    }

    private Map<Integer, RecordSet> mutableSets(Name name) {
        return changedSets.computeIfAbsent(
                name.canonicalize(),
                own -> new LinkedHashMap<>(baseDraft == null ? contents.sets(own) : baseDraft.sets(own)));
    }

    /** Returns whether the draft differs from its base. */
    boolean hasChanges() {
        for (Map.Entry<Name, Map<Integer, RecordSet>> each : changedSets.entrySet()) {
            Map<Integer, RecordSet> before =
                    baseDraft == null ? contents.sets(each.getKey()) : baseDraft.sets(each.getKey());
            if (!isSame(before, each.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(Map<Integer, RecordSet> one, Map<Integer, RecordSet> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(each -> isSame(each.getValue(), other.get(each.getKey())));
    }

    private static boolean isSame(RecordSet one, @Nullable RecordSet other) {
        return other != null
                && one.ttl() == other.ttl()
                && one.records().size() == other.records().size()
                && one.records().containsAll(other.records());
    }

    /** All record sets of each changed name, by type. */
    Map<Name, Map<Integer, RecordSet>> changedSets() {
        return changedSets;
    }

    /** All records of each changed name. */
    Map<Name, List<Record>> changedRecords() throws IOException {
        Map<Name, List<Record>> records = new LinkedHashMap<>();
        for (Name name : changedSets.keySet()) {
            List<Record> all = new ArrayList<>();
            passRecords(name, all::add);
            if (name.equals(apex())) {
                all.add(0, soa());
            }
            records.put(name, all);
        }
        return records;
    }

    /** Passes all records to {@code sink}, the SOA record first. */
    void forEach(Sink sink) throws IOException {
        sink.accept(soa());
        Set<Name> rest = new LinkedHashSet<>(changedSets.keySet());
        for (Name name : contents.names()) {
            rest.remove(name.canonicalize());
            passRecords(name, sink);
        }
        for (Name name : rest) {
            passRecords(name, sink);
        }
    }

    private void passRecords(Name name, Sink sink) throws IOException {
        for (RecordSet set : sets(name).values()) {
            if (set.type() != Type.SOA) {
                for (Record record : set.records()) {
                    sink.accept(
                            record.getTTL() == set.ttl()
                                    ? record
                                    : Record.newRecord(
                                            record.getName(),
                                            record.getType(),
                                            record.getDClass(),
                                            set.ttl(),
                                            record.rdataToWireCanonical()));
                }
            }
        }
    }
}
