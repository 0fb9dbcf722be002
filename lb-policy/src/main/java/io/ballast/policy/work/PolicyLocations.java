package io.ballast.policy.work;

import io.ballast.policy.config.address.LocationSet;

/** Finds the locations of clients. Thread safety: any thread may call. */
@FunctionalInterface
public interface PolicyLocations {

    /** The locations without a database: no address has a location. */
    PolicyLocations NONE = set -> LocationLookup.NONE;

    /**
     * Returns a look-up that tells whether an address is in the set. The look-up stays current when a database or the
     * configuration changes.
     */
    LocationLookup find(LocationSet set);
}
