package io.ballast.dns.transfer;

import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.TransferContents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.SOARecord;

/** The difference between two versions of a zone: removed and added records, except SOA records. Immutable. */
record Difference(SOARecord from, SOARecord to, List<TransferredRecord> removed, List<TransferredRecord> added) {

    Difference {
        removed = List.copyOf(removed);
        added = List.copyOf(added);
    }

    /**
     * Compares two versions of a zone. Cost: linear in all their records, unless the versions share the same
     * objects or the changed names are known.
     *
     * @param max maximum number of records that may differ
     * @return the difference; empty if more records differ
     */
    static Optional<Difference> between(TransferContents before, TransferContents after, int max) {
        if (isSame(before, after)) {
            return Optional.of(new Difference(before.soa(), after.soa(), List.of(), List.of()));
        }
        List<TransferredRecord> removed = new ArrayList<>();
        List<TransferredRecord> added = new ArrayList<>();
        Optional<Set<Name>> changed = before.services().equals(after.services())
                ? after.contents().changedSince(before.contents())
                : Optional.empty();
        boolean few = collect(before, after, candidateNames(before, changed), removed, max)
                && collect(after, before, candidateNames(after, changed), added, max - removed.size());
        return few ? Optional.of(new Difference(before.soa(), after.soa(), removed, added)) : Optional.empty();
    }

    /** Returns whether two versions are known to be equal without comparing their records. */
    @SuppressWarnings("ReferenceEquality") // unchanged contents are not read again, so they are the same object
    private static boolean isSame(TransferContents one, TransferContents other) {
        return one.contents() == other.contents() && one.services().equals(other.services());
    }

    /** The names that may differ: the names known to have changed, or all names. */
    private static Iterator<Name> candidateNames(TransferContents zone, Optional<Set<Name>> changed) {
        return changed.map(Set::iterator).orElseGet(() -> zone.names().iterator());
    }

    /**
     * Collects the records that {@code one} has and {@code other} lacks; returns false if there are more than
     * {@code max}.
     */
    private static boolean collect(
            TransferContents one, TransferContents other, Iterator<Name> names, List<TransferredRecord> into, int max) {
        for (; names.hasNext() && into.size() <= max; ) {
            Name name = names.next();
            Map<Integer, RecordSet> others = other.sets(name);
            one.sets(name).values().forEach(set -> collect(set, others.get(set.type()), into));
        }
        return into.size() <= max;
    }

    private static void collect(RecordSet one, @Nullable RecordSet other, List<TransferredRecord> into) {
        Set<TransferredRecord> kept = other == null ? Set.of() : new HashSet<>(TransferredRecord.of(other));
        for (TransferredRecord record : TransferredRecord.of(one)) {
            if (!kept.contains(record)) {
                into.add(record);
            }
        }
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return removed.size() + added.size();
    }

    /** The records in the order of a transfer (RFC 1995 section 4). */
    Stream<TransferredRecord> records() {
        return Stream.of(
                        Stream.of(TransferredRecord.of(from)),
                        removed.stream(),
                        Stream.of(TransferredRecord.of(to)),
                        added.stream())
                .flatMap(part -> part);
    }
}
