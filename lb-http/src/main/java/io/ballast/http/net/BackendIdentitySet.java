package io.ballast.http.net;

import io.ballast.core.backend.Backend;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of backends of the running topology, by identity: if a backend is replaced by a new one with the same
 * ID, the new one is not a member. A removed backend is never a member. Holds at most one backend for each
 * ID. Confined to one thread. Cost of each method: constant.
 */
public final class BackendIdentitySet {

    private @Nullable Backend[] byId = new @Nullable Backend[0];

    public boolean contains(Backend backend) {
        int id = backend.id();
        return id < byId.length && byId[id] == backend && !backend.isRemoved();
    }

    /**
     * Adds the backend, and removes an earlier backend with the same ID. Does nothing if the backend has been
     * removed from the topology.
     */
    public void add(Backend backend) {
        if (backend.isRemoved()) {
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
