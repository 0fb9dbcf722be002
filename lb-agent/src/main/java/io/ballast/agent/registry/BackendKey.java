package io.ballast.agent.registry;

import io.ballast.core.config.HostPort;

/** Identifies a backend of a pool. */
public record BackendKey(String pool, HostPort address) {

    @Override
    public String toString() {
        return pool + "/" + address;
    }
}
