package io.ballast.dns.forward.filter;

import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NumberedNames;
import io.ballast.dns.wire.QueryName;
import java.util.List;

/**
 * Maps names to their indexes in a list. Immutable. A lookup costs one probe and allocates nothing.
 */
final class NamePositions {

    static final int NONE = NumberedNames.NONE;

    private final NumberedNames positions;

    /**
     * @param hash the hash of the names to look up
     * @param names unique names in lower case without their last dots
     */
    NamePositions(NameHash hash, List<String> names) {
        this.positions = new NumberedNames(hash);
        for (int i = 0; i < names.size(); i++) {
            positions.add(RuleName.toWireFormat(names.get(i)), i);
        }
        positions.trim();
    }

    /**
     * Returns the position of a suffix of a hashed name; {@link #NONE} if the list does not contain the suffix.
     */
    int find(QueryName name, int suffix) {
        return positions.find(name, suffix);
    }

    /**
     * Returns the position of the longest name in the list that is equal to the given name or a parent of it;
     * {@link #NONE} if no name matches.
     */
    int findClosestEncloser(QueryName name) {
        if (positions.isEmpty()) {
            return NONE;
        }
        for (int suffix = 0; suffix < name.labels(); suffix++) {
            int position = find(name, suffix);
            if (position != NONE) {
                return position;
            }
        }
        return NONE;
    }
}
