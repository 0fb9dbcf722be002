package io.ballast.core.geo;

import io.ballast.core.net.Cidr;

/**
 * A network whose addresses belong to a region, unless a smaller network inside it has another region.
 *
 * @param network the addresses
 * @param region the region's id
 */
public record RegionNetwork(Cidr network, int region) {}
