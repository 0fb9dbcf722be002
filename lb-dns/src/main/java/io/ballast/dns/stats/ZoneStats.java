package io.ballast.dns.stats;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts queries by zone and by service. The first {@value #MAX_NAMES} names of each kind, in configuration
 * order, are counted separately; all further names of the kind are counted together. A reload keeps the count
 * of a remaining name. A name that was removed and is added again starts at zero.
 *
 * <p>Thread safety: a {@link Shard} has one writer; any thread may assign slots, add a shard and read sums.
 */
public final class ZoneStats {

    /** Maximum number of zones, and of services, that are counted separately. */
    public static final int MAX_NAMES = 1000;

    /** The name for all zones or services that are not counted separately. */
    public static final String OTHER = "other";

    /** The slot of {@link #OTHER}. */
    public static final int OTHER_SLOT = 0;

    private final List<Shard> shards = new CopyOnWriteArrayList<>();
    private final CounterSlots zones = new CounterSlots(Outcome.values().length);
    private final CounterSlots services = new CounterSlots(1);

    /** The outcome of a query for a name in a zone. */
    public enum Outcome {
        /** The answer has records, or is a referral. */
        NOERROR("noerror"),
        /** The name has no records of the type. */
        NODATA("nodata"),
        /** The name does not exist; also if a signed zone proves this with NOERROR (RFC 9824). */
        NXDOMAIN("nxdomain"),
        /** SERVFAIL, YXDOMAIN, or REFUSED because the time budget for signing was used up. */
        OTHER("other");

        private static final List<Outcome> ALL = List.of(values());

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        /** The metric's label value and the name in the API. */
        public String label() {
            return label;
        }
    }

    /**
     * The counters of one answering thread, which is the only writer. Allocates only when the number of slots grows.
     */
    public static final class Shard {

        private final CounterCells zones = new CounterCells();
        private final CounterCells services = new CounterCells();

        private Shard() {}

        /** @param slot slot of the zone, from {@link ZoneStats#zones} */
        public void countZoneQuery(int slot, Outcome outcome) {
            zones.increment(slot * Outcome.ALL.size() + outcome.ordinal());
        }

        /** @param slot slot of the service, from {@link ZoneStats#services} */
        public void countServiceQuery(int slot) {
            services.increment(slot);
        }
    }

    /** Adds a shard for another answering thread. */
    public Shard newShard() {
        Shard shard = new Shard();
        shards.add(shard);
        return shard;
    }

    /** Assigns slots to zones, in the given order. A zone keeps its slot until {@link #retainZones} drops it. */
    public int[] zones(List<String> names) {
        return zones.assign(names, MAX_NAMES, this::zoneCell);
    }

    /**
     * Assigns slots to services, in the given order. A service keeps its slot until {@link #retainServices} drops it.
     */
    public int[] services(List<String> names) {
        return services.assign(names, MAX_NAMES, this::serviceCell);
    }

    /** Frees the slots of all zones except {@code names}. */
    public void retainZones(Collection<String> names) {
        zones.retain(names);
    }

    /** Frees the slots of all services except {@code names}. */
    public void retainServices(Collection<String> names) {
        services.retain(names);
    }

    /** Queries by zone and outcome; the last entry is {@link #OTHER}, if there are zones without their own slots. */
    public Map<String, Map<Outcome, Long>> queriesByZone() {
        return zones.sums(this::zoneCell, cells -> {
            Map<Outcome, Long> byOutcome = new EnumMap<>(Outcome.class);
            Outcome.ALL.forEach(outcome -> byOutcome.put(outcome, cells[outcome.ordinal()]));
            return byOutcome;
        });
    }

    /**
     * Queries answered by services, by service name; the last entry is {@link #OTHER}, if there are services without
     * their own slots.
     */
    public Map<String, Long> queriesByService() {
        return services.sums(this::serviceCell, cells -> cells[0]);
    }

    private long zoneCell(int cell) {
        long sum = 0;
        for (Shard shard : shards) {
            sum += shard.zones.get(cell);
        }
        return sum;
    }

    private long serviceCell(int cell) {
        long sum = 0;
        for (Shard shard : shards) {
            sum += shard.services.get(cell);
        }
        return sum;
    }
}
