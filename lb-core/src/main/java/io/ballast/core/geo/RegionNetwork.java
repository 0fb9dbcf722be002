package io.ballast.core.geo;

import io.ballast.core.net.Cidr;

/**
 * A network whose addresses belong to a region, unless a network inside it says otherwise.
 *
 * @param network which addresses
 * @param region the region's id
 */
public record RegionNetwork(Cidr network, int region) {}
