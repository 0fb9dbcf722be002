package io.ballast.dns.answer.data;

import io.ballast.core.backend.Backend;
import java.util.List;

/** Maps each backend of a list to its position in the list, by the backend's id and in constant time. */
final class BackendIndex {

    private final Backend[] backends;
    private final int firstId;
    private final int[] places;

    /** @param backends the backends, at least one; all belong to one pool, so that the range of their ids is small */
    BackendIndex(List<Backend> backends) {
        this.backends = backends.toArray(Backend[]::new);
        this.firstId = backends.stream().mapToInt(Backend::id).min().orElseThrow();
        int lastId = backends.stream().mapToInt(Backend::id).max().orElseThrow();
        this.places = new int[lastId - firstId + 1];
        for (int i = 0; i < this.backends.length; i++) {
            places[this.backends[i].id() - firstId] = i;
        }
    }

    int positionOf(Backend backend) {
        return places[backend.id() - firstId];
    }

    Backend backend(int place) {
        return backends[place];
    }
}
