package io.ballast.dns.transfer;

import io.ballast.dns.zone.contents.TransferContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The current zone and the differences between its last versions: at most {@value #MAX_RECORDS} records and
 * {@value #MAX_DIFFERENCES} versions.
 *
 * <p>Thread safety: immutable.
 */
final class ZoneHistory {

    static final int MAX_RECORDS = 20_000;
    static final int MAX_DIFFERENCES = 100;

    private final TransferContents zone;
    /**
     * The differences, oldest first. Each one starts at the version at which the previous one ends; the last one ends
     * at the current zone.
     */
    private final List<Difference> differences;
    /**
     * Whether the records changed while the serial stayed the same. In this case, a server that reports this serial may
     * have either version.
     */
    private final boolean ambiguous;

    private ZoneHistory(TransferContents zone, List<Difference> differences, boolean ambiguous) {
        this.zone = zone;
        this.differences = List.copyOf(differences);
        this.ambiguous = ambiguous;
    }

    /** Creates an empty history. */
    static ZoneHistory of(TransferContents zone) {
        return new ZoneHistory(zone, List.of(), /* ambiguous= */ false);
    }

    /** Returns the history with another version added. Cost: linear in the records of both versions. */
    ZoneHistory next(TransferContents other) {
        Optional<Difference> difference = Difference.between(zone, other, MAX_RECORDS);
        boolean same = difference.map(Difference::isEmpty).orElse(/* other= */ false);
        if (other.serial() == zone.serial()) {
            return same && other.soa().equals(zone.soa())
                    ? new ZoneHistory(other, differences, ambiguous)
                    : new ZoneHistory(other, List.of(), /* ambiguous= */ true);
        }
        if (ambiguous || difference.isEmpty() || !Serial.isAfter(other.serial(), zone.serial())) {
            return of(other);
        }
        List<Difference> all = new ArrayList<>(differences);
        all.add(difference.get());
        int records = all.stream().mapToInt(Difference::size).sum();
        while (records > MAX_RECORDS || all.size() > MAX_DIFFERENCES) {
            records -= all.remove(0).size();
        }
        return new ZoneHistory(other, all, /* ambiguous= */ false);
    }

    TransferContents zone() {
        return zone;
    }

    boolean isAmbiguous() {
        return ambiguous;
    }

    /** Returns the changes since a version, the oldest first; empty if they are not known. */
    Optional<List<Difference>> changesSince(long serial) {
        for (int i = 0; i < differences.size(); i++) {
            if (differences.get(i).from().getSerial() == serial) {
                return Optional.of(differences.subList(i, differences.size()));
            }
        }
        return Optional.empty();
    }
}
