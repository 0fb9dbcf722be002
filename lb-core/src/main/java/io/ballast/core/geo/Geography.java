package io.ballast.core.geo;

/**
 * The locations of clients: the regions, and the region of every address. The regions never change during the
 * life of the object; the table may be replaced by a newer one.
 */
public interface Geography {

    /** The regions to which the ids in the table refer. */
    Regions regions();

    /** The newest table. Cost: one volatile read. */
    RegionTable current();
}
