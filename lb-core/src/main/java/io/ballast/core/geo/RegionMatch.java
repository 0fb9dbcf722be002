package io.ballast.core.geo;

/**
 * Why an address belongs to its region.
 *
 * @param region the region's name
 * @param rule what decided
 * @param place what the rule found: a network, {@code DE}, {@code US-CA}, the number of an autonomous system or a city;
 *     empty if nothing did
 */
public record RegionMatch(String region, RegionRule rule, String place) {

    /** Describes the match: {@code eu by country DE}. */
    @Override
    public String toString() {
        return region + " by " + rule.label() + (place.isEmpty() ? "" : " " + place);
    }
}
