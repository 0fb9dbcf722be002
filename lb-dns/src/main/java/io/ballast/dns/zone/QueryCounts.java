package io.ballast.dns.zone;

import io.ballast.dns.answer.data.ZoneStatsSlots;
import io.ballast.dns.stats.ZoneStats;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.tree.NameTree;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the counters of zones and services. Zones are indexed by number, services by the index of their
 * name.
 */
final class QueryCounts {

    private QueryCounts() {}

    /** @param before the slots of the zones that are replaced; null if none are replaced */
    static ZoneStatsSlots of(ZoneStats stats, NameTree tree, Services services, @Nullable ZoneStatsSlots before) {
        int[][] ofIndexes = new int[tree.numbers()][];
        int[] ofServices =
                stats.services(services.all().stream().map(Services::ownName).toList());
        // A query for a name is counted for the first service of the name, in the order of the configuration.
        for (int i = ofServices.length - 1; i >= 0; i--) {
            for (ServedName name : services.all().get(i).names()) {
                ofIndexes[name.zone()] = withSlot(ofIndexes[name.zone()], name.index(), ofServices[i]);
            }
        }
        boolean isSame = tree.hasSameZones();
        return new ZoneStatsSlots(stats, before != null && isSame ? before.zones() : ofZones(stats, tree), ofIndexes);
    }

    private static int[] withSlot(int @Nullable [] slots, int index, int slot) {
        int known = slots == null ? 0 : slots.length;
        int[] grown = slots == null ? new int[index + 1] : Arrays.copyOf(slots, Math.max(known, index + 1));
        Arrays.fill(grown, known, grown.length, ZoneStatsSlots.NO_SERVICE);
        grown[index] = slot;
        return grown;
    }

    private static int[] ofZones(ZoneStats stats, NameTree tree) {
        Map<String, Integer> numbers = tree.zoneNumbers();
        int[] inOrder = stats.zones(List.copyOf(numbers.keySet()));
        int[] slots = new int[tree.numbers()];
        int next = 0;
        for (int number : numbers.values()) {
            slots[number] = inOrder[next++];
        }
        return slots;
    }
}
