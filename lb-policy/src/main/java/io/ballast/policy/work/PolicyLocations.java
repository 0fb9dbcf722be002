package io.ballast.policy.work;

import io.ballast.policy.config.address.LocationSet;

/** The locations of clients. Thread safety: any thread may call. */
@FunctionalInterface
public interface PolicyLocations {

    /** The locations without a database: no address has a location. */
    PolicyLocations NONE = set -> LocationLookup.NONE;

    /** Returns the look-up of a set, which follows changes of the databases and of the configuration. */
    LocationLookup find(LocationSet set);
}
