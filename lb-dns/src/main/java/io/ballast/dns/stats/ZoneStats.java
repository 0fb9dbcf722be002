package io.ballast.dns.stats;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts queries by zone and by service: at most {@value #MOST_NAMES} of either, in the order of the configuration; what is
 * beyond is summed. A name that stays over a reload goes on where it was; one that comes back begins again.
 *
 * <p>Thread safety: a {@link Shard} has one writer; any thread may assign slots, add a shard and read sums.
 */
public final class ZoneStats {

    /** Zones that are told apart, and services. */
    public static final int MOST_NAMES = 1000;

    /** Stands for all zones or services that are not told apart. */
    public static final String OTHER = "other";

    /** The slot of what is not counted at all. */
    public static final int UNCOUNTED = -1;

    /** The slot of {@link #OTHER}. */
    public static final int OTHER_SLOT = 0;

    private final List<Shard> shards = new CopyOnWriteArrayList<>();
    private final CounterSlots zones = new CounterSlots(Outcome.values().length);
    private final CounterSlots services = new CounterSlots(1);

    /** What became of a query for a name in a zone. */
    public enum Outcome {
        /** There were records, or the servers of a delegation were named. */
        NOERROR("noerror"),
        /** The name has no records of the type. */
        NODATA("nodata"),
        /** There is no such name; also where a signed zone proves it by an answer NOERROR (RFC 9824). */
        NXDOMAIN("nxdomain"),
        /** SERVFAIL, YXDOMAIN, or REFUSED for want of time to sign. */
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

    /** The cells of one answering thread. Only that thread may write. Allocates only to grow. */
    public static final class Shard {

        private final CounterCells zones = new CounterCells();
        private final CounterCells services = new CounterCells();

        private Shard() {}

        /** @param slot of {@link ZoneStats#zones} */
        public void zone(int slot, Outcome outcome) {
            zones.increment(slot * Outcome.ALL.size() + outcome.ordinal());
        }

        /** @param slot of {@link ZoneStats#services}, or {@link #UNCOUNTED} */
        public void service(int slot) {
            if (slot != UNCOUNTED) {
                services.increment(slot);
            }
        }
    }

    /** The cells that one more answering thread writes. */
    public Shard newShard() {
        Shard shard = new Shard();
        shards.add(shard);
        return shard;
    }

    /** The slots of zones, in their order. They stay theirs until {@link #retainZones} says that there are no such zones. */
    public int[] zones(List<String> names) {
        return zones.assign(names, MOST_NAMES, this::zoneCell);
    }

    /** The slots of services, likewise. */
    public int[] services(List<String> names) {
        return services.assign(names, MOST_NAMES, this::serviceCell);
    }

    /** Frees the slots of all zones but these. */
    public void retainZones(Collection<String> names) {
        zones.retain(names);
    }

    /** Frees the slots of all services but these. */
    public void retainServices(Collection<String> names) {
        services.retain(names);
    }

    /** Queries by zone and outcome; {@link #OTHER} last, if some zones are not told apart. */
    public Map<String, Map<Outcome, Long>> queriesByZone() {
        return zones.sums(this::zoneCell, cells -> {
            Map<Outcome, Long> byOutcome = new EnumMap<>(Outcome.class);
            Outcome.ALL.forEach(outcome -> byOutcome.put(outcome, cells[outcome.ordinal()]));
            return byOutcome;
        });
    }

    /** Queries that services answered, by the service's name; {@link #OTHER} likewise. */
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
