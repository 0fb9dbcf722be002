package io.ballast.core.health;

import io.ballast.core.backend.WeightOverride;

/**
 * An active override of a backend's weight.
 *
 * @param pool name of the backend's pool
 * @param address as written in the configuration
 */
public record ActiveWeightOverride(String pool, String address, WeightOverride override) {

    /** Returns {@code pool/address}. */
    public String subject() {
        return pool + "/" + address;
    }
}
