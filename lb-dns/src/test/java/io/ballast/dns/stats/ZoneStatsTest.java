package io.ballast.dns.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.stats.ZoneStats.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the assignment of counters to names across reloads. */
class ZoneStatsTest {

    private final ZoneStats stats = new ZoneStats();

    @Test
    void sumsShards() {
        int[] slots = stats.zones(List.of("example.com", "example.net"));
        ZoneStats.Shard one = stats.newShard();
        ZoneStats.Shard other = stats.newShard();

        one.countZoneQuery(slots[0], Outcome.NOERROR);
        other.countZoneQuery(slots[0], Outcome.NOERROR);
        other.countZoneQuery(slots[1], Outcome.NXDOMAIN);

        assertThat(stats.queriesByZone().get("example.com"))
                .isEqualTo(Map.of(Outcome.NOERROR, 2L, Outcome.NODATA, 0L, Outcome.NXDOMAIN, 0L, Outcome.OTHER, 0L));
        assertThat(stats.queriesByZone().get("example.net")).containsEntry(Outcome.NXDOMAIN, 1L);
    }

    @Test
    void sumsNamesBeyondLimit() {
        List<String> names = IntStream.range(0, ZoneStats.MAX_NAMES + 2)
                .mapToObj(i -> "s" + i)
                .toList();
        int[] slots = stats.services(names);
        ZoneStats.Shard shard = stats.newShard();

        IntStream.of(slots).forEach(shard::countServiceQuery);

        assertThat(stats.queriesByService())
                .hasSize(ZoneStats.MAX_NAMES + 1)
                .containsEntry("s0", 1L)
                .containsEntry("s999", 1L)
                .containsEntry(ZoneStats.OTHER, 2L);
    }

    @Test
    void remainingNamesContinueAndNewStartAtZero() {
        ZoneStats.Shard shard = stats.newShard();
        int[] slots = stats.services(List.of("stays", "goes"));
        IntStream.of(slots).forEach(shard::countServiceQuery);

        int[] next = stats.services(List.of("new", "stays"));
        shard.countServiceQuery(next[1]);
        stats.retainZones(List.of());
        stats.retainServices(List.of("new", "stays"));
        assertThat(stats.queriesByService()).isEqualTo(Map.of("stays", 2L, "new", 0L));

        // A new name reuses the freed slot, which already has a count.
        int[] last = stats.services(List.of("newest"));
        assertThat(last[0]).isEqualTo(slots[1]);
        shard.countServiceQuery(last[0]);
        assertThat(stats.queriesByService()).containsEntry("newest", 1L);
    }

    @Test
    void newZonesGetSlotsBesideOldZones() {
        List<String> old =
                IntStream.range(0, ZoneStats.MAX_NAMES).mapToObj(i -> "old" + i).toList();
        List<String> next =
                IntStream.range(0, ZoneStats.MAX_NAMES).mapToObj(i -> "new" + i).toList();
        stats.zones(old);

        assertThat(stats.zones(next)).doesNotContain(ZoneStats.OTHER_SLOT).doesNotHaveDuplicates();
    }
}
