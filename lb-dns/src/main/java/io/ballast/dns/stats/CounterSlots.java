package io.ballast.dns.stats;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntToLongFunction;

/**
 * Assigns each name a slot of several counter cells. The slot of a removed name is reused without a reset: the old
 * counts become the starting point of the new name's sums. Slots are reused in the order in which they were freed,
 * because a query in flight may still use a freed slot. Thread safety: any thread may call it.
 */
final class CounterSlots {

    private final int width;
    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private final Map<Integer, long[]> countedBefore = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private int nextSlot = ZoneStats.OTHER_SLOT + 1;
    private boolean hasOthers;

    /** @param width number of cells in a slot */
    CounterSlots(int width) {
        this.width = width;
    }

    /**
     * Returns the counter slot of each name, in the order of {@code names}. A name keeps its slot in later calls.
     *
     * @param max maximum number of names with their own slots; the other names share the slot of {@link
     *     ZoneStats#OTHER}
     * @param sums current sum of each cell
     */
    synchronized int[] assign(List<String> names, int max, IntToLongFunction sums) {
        int[] assigned = new int[names.size()];
        HashSet<String> named = new HashSet<>();
        for (int i = 0; i < assigned.length; i++) {
            String name = names.get(i);
            if (named.contains(name) || named.size() < max) {
                named.add(name);
                assigned[i] = slots.computeIfAbsent(name, each -> allocateSlot(sums));
            } else {
                assigned[i] = ZoneStats.OTHER_SLOT;
                hasOthers = true;
            }
        }
        return assigned;
    }

    private int allocateSlot(IntToLongFunction sums) {
        Integer freed = free.poll();
        if (freed == null) {
            return nextSlot++;
        }
        countedBefore.put(freed, cells(freed, sums));
        return freed;
    }

    synchronized void retain(Collection<String> names) {
        HashSet<String> kept = new HashSet<>(names);
        slots.entrySet().removeIf(slot -> {
            boolean isRemoved = !kept.contains(slot.getKey());
            if (isRemoved) {
                free.add(slot.getValue());
            }
            return isRemoved;
        });
    }

    /** Returns, for each name, the sums of its counter cells, converted by {@code as}. */
    synchronized <T> Map<String, T> sums(IntToLongFunction sums, Function<long[], T> as) {
        Map<String, T> all = new LinkedHashMap<>();
        slots.forEach((name, slot) -> all.put(name, as.apply(countsSinceAssignment(slot, sums))));
        if (hasOthers) {
            all.putIfAbsent(ZoneStats.OTHER, as.apply(cells(ZoneStats.OTHER_SLOT, sums)));
        }
        return all;
    }

    private long[] countsSinceAssignment(int slot, IntToLongFunction sums) {
        long[] cells = cells(slot, sums);
        long[] before = countedBefore.get(slot);
        for (int i = 0; before != null && i < width; i++) {
            cells[i] -= before[i];
        }
        return cells;
    }

    private long[] cells(int slot, IntToLongFunction sums) {
        long[] cells = new long[width];
        for (int i = 0; i < width; i++) {
            cells[i] = sums.applyAsLong(slot * width + i);
        }
        return cells;
    }
}
