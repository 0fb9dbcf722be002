package io.ballast.core.health;

import io.ballast.core.backend.StateOverride;

/**
 * An active override of a backend's state.
 *
 * @param pool name of the backend's pool
 * @param address as written in the configuration
 */
public record ActiveStateOverride(String pool, String address, StateOverride override) {

    /** Returns {@code pool/address}. */
    public String subject() {
        return pool + "/" + address;
    }
}
