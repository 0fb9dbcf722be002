package io.ballast.http.net;

import io.ballast.core.backend.Backend;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of backends of the running topology, by identity: a backend with the id of a former one is not in the set because the
 * former one was. A backend that has left is never in it. Holds at most one backend for each id. Confined to one thread. Cost
 * of each method: constant.
 */
public final class BackendIdentitySet {

    private @Nullable Backend[] byId = new @Nullable Backend[0];

    public boolean contains(Backend backend) {
        int id = backend.id();
        return id < byId.length && byId[id] == backend && !backend.hasLeft();
    }

    /** Adds the backend, and removes a former one with its id. Does nothing if it has left. */
    public void add(Backend backend) {
        if (backend.hasLeft()) {
            return;
        }
        int id = backend.id();
        if (id >= byId.length) {
            byId = Arrays.copyOf(byId, Math.max(2 * byId.length, id + 1));
        }
        byId[id] = backend;
    }

    public void remove(Backend backend) {
        int id = backend.id();
        if (id < byId.length && byId[id] == backend) {
            byId[id] = null;
        }
    }
}
