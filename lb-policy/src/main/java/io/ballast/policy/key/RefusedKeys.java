package io.ballast.policy.key;

import static java.util.Objects.requireNonNull;

import io.ballast.http.policy.PolicyExchange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a limit with most refused requests of the last {@value #WINDOW_MINUTES} to 10 minutes. Each event loop
 * counts the refusals of its own requests in windows of {@value #WINDOW_MINUTES} minutes; two windows are read.
 *
 * <p>Thread safety: refusals are recorded on event loops, and the counts may be read by any thread. Neither blocks. Cost and memory of a refusal: see {@link RefusalCounts}. The memory is
 * allocated at the first refusal.
 */
public final class RefusedKeys {

    static final int WINDOW_MINUTES = 5;
    static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(WINDOW_MINUTES);

    private static final Comparator<RefusedKey> ORDER =
            Comparator.comparingLong(RefusedKey::refused).reversed();

    /** The windows of an event loop without refusals; they stay empty. */
    private static final Windows UNUSED = new Windows(/* now= */ 0);

    private final RequestCounterKey keys;
    /** The windows of each event loop; {@link #UNUSED} until its first refusal. A change replaces the array. */
    private final AtomicReference<Windows[]> loops = new AtomicReference<>(new Windows[0]);

    /** The windows of an event loop, which alone changes them. */
    private static final class Windows {

        private volatile RefusalCounts current;
        private volatile @Nullable RefusalCounts previous;

        Windows(long now) {
            current = new RefusalCounts(now);
        }

        RefusalCounts at(long now) {
            RefusalCounts known = current;
            if (now - known.start() <= WINDOW_NANOS) {
                return known;
            }
            RefusalCounts next = new RefusalCounts(now);
            previous = known;
            current = next;
            return next;
        }
    }

    /**
     * A key with refused requests.
     *
     * @param key the hash of the key
     * @param text the key as people read it
     * @param refused the number of refused requests; approximate if many keys are refused
     */
    public record RefusedKey(long key, String text, long refused) {

        private RefusedKey plus(RefusedKey other) {
            return new RefusedKey(key, text, refused + other.refused);
        }
    }

    /** @param keys describes the keys of requests */
    public RefusedKeys(RequestCounterKey keys) {
        this.keys = keys;
    }

    /**
     * Records a refused request. Called on the event loop of the request, while the request is readable.
     *
     * @param key the hash of its key
     * @param now the current time; see {@link System#nanoTime}
     */
    public void refused(PolicyExchange exchange, long key, long now) {
        RefusalCounts counts = windows(exchange.loop(), now).at(now);
        if (!counts.increment(key)) {
            int place = counts.placeForNewKey(exchange.worker().random());
            if (place != RefusalCounts.NONE) {
                counts.replace(place, key, keys.describe(exchange));
            }
        }
    }

    private Windows windows(int loop, long now) {
        Windows[] known = requireNonNull(loops.get());
        return loop < known.length && known[loop] != UNUSED ? known[loop] : create(loop, now);
    }

    private Windows create(int loop, long now) {
        Windows created = new Windows(now);
        loops.updateAndGet(known -> {
            int before = requireNonNull(known).length;
            Windows[] next = Arrays.copyOf(known, Math.max(before, loop + 1));
            Arrays.fill(next, before, next.length, UNUSED);
            next[loop] = created;
            return next;
        });
        return created;
    }

    /**
     * Returns the keys with refusals, the most refused first. A key that was refused on several event loops occurs
     * once.
     */
    public List<RefusedKey> recent(long now) {
        Map<Long, RefusedKey> sums = new LinkedHashMap<>();
        for (Windows windows : requireNonNull(loops.get())) {
            add(windows.current, now, sums);
            add(windows.previous, now, sums);
        }
        List<RefusedKey> sorted = new ArrayList<>(sums.values());
        sorted.sort(ORDER);
        return sorted;
    }

    private static void add(@Nullable RefusalCounts counts, long now, Map<Long, RefusedKey> sums) {
        if (counts != null && now - counts.start() <= 2 * WINDOW_NANOS) {
            counts.forEach(found -> sums.merge(found.key(), found, RefusedKey::plus));
        }
    }
}
