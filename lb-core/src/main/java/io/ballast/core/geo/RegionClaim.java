package io.ballast.core.geo;

/** A region and the rule that assigned it, as one number. */
final class RegionClaim {

    private static final int REGION_BITS = 16;

    /** Maximum number of regions. */
    static final int MAX_REGIONS = 1 << REGION_BITS;

    private RegionClaim() {}

    /** Returns a claim; for {@link RegionRule#DEFAULT} and any region, it is {@link RangeList#NOTHING}. */
    static int of(RegionRule rule, int region) {
        return rule == RegionRule.DEFAULT ? RangeList.NOTHING : rule.ordinal() << REGION_BITS | region;
    }

    static int region(int claim) {
        return claim & (MAX_REGIONS - 1);
    }

    static RegionRule rule(int claim) {
        return RegionRule.values()[claim >> REGION_BITS];
    }

    /** Returns the claim with the more specific rule; the first one if the rules are equally specific. */
    static int stronger(int first, int second) {
        return rank(second) > rank(first) ? second : first;
    }

    private static int rank(int claim) {
        return claim >> REGION_BITS;
    }
}
