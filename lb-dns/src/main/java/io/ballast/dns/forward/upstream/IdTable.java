package io.ballast.dns.forward.upstream;

import io.netty.util.collection.ShortObjectHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outstanding queries of one socket by unique id. Event-loop confined. */
final class IdTable {

    /** The maximum number of outstanding queries. It is low enough that a random unused id is found quickly. */
    static final int MAX_IDS = 32_768;

    private final ShortObjectHashMap<Attempt> attempts = new ShortObjectHashMap<>();

    /** Assigns a random free id to a question. Requires fewer than {@value #MAX_IDS} entries. */
    int add(Attempt attempt, UnpredictableNumbers random) {
        while (true) {
            int id = random.nextU16();
            if (!attempts.containsKey((short) id)) {
                attempts.put((short) id, attempt);
                return id;
            }
        }
    }

    @Nullable Attempt get(int id) {
        return attempts.get((short) id);
    }

    void remove(int id) {
        attempts.remove((short) id);
    }

    int size() {
        return attempts.size();
    }

    boolean isEmpty() {
        return attempts.isEmpty();
    }

    /** Returns all entries. */
    List<Attempt> all() {
        return List.copyOf(attempts.values());
    }

    /** Removes all attempts and returns them. */
    List<Attempt> drain() {
        List<Attempt> all = all();
        attempts.clear();
        return all;
    }
}
