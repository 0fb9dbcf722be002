package io.ballast.core.geo;

/**
 * Explains the region of an address.
 *
 * @param region the region's name
 * @param rule the rule that determined the region
 * @param place the place or network that matched the rule: a network, {@code DE}, {@code US-CA}, the number
 *     of an autonomous system or a city; empty if nothing matched
 */
public record RegionMatch(String region, RegionRule rule, String place) {

    /** Describes the match: {@code eu by country DE}. */
    @Override
    public String toString() {
        return region + " by " + rule.label() + (place.isEmpty() ? "" : " " + place);
    }
}
