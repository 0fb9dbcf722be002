package io.ballast.core.health;

import io.ballast.core.backend.WeightOrder;

/**
 * An active override of a backend's weight.
 *
 * @param pool name of the backend's pool
 * @param address as written in the configuration
 */
public record StandingWeight(String pool, String address, WeightOrder order) {

    /** Prints {@code pool/address}. */
    public String subject() {
        return pool + "/" + address;
    }
}
