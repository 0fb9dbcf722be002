package io.ballast.core.geo;

/**
 * Where clients are: regions, and the region of every address. The regions stay the same as long as the object lives, the
 * table may be replaced by a newer one.
 */
public interface Geography {

    /** The regions for the table's ids. */
    Regions regions();

    /** The newest table. Cost: one volatile read. */
    RegionTable current();
}
