package io.ballast.dns.answer.data;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NumberedNames;
import io.ballast.dns.wire.QueryName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds zones by name. Successive answer tables share the index as long as the set of zones does not change.
 *
 * <p>Thread safety: immutable. Cost: one or two probes per name, independent of the number of zones;
 * allocates nothing.
 */
public final class ApexIndex {

    /** Zone number if no zone was found. */
    static final int NONE = NumberedNames.NONE;

    private final NumberedNames numbers;
    private int maxLabels;

    private ApexIndex(NameHash hash) {
        this.numbers = new NumberedNames(hash);
    }

    /**
     * Returns an index of zones.
     *
     * @param hash hash of names
     * @param apexes zone names in lower case and wire format, by zone number; null for a number without a zone
     */
    public static ApexIndex of(NameHash hash, List<byte @Nullable []> apexes) {
        ApexIndex made = new ApexIndex(hash);
        for (int number = 0; number < apexes.size(); number++) {
            byte[] apex = apexes.get(number);
            if (apex != null) {
                made.maxLabels = Math.max(made.maxLabels, made.numbers.add(apex, number));
            }
        }
        made.numbers.trim();
        return made;
    }

    /**
     * Returns the first suffix of a name that can be a zone name. All longer suffixes have more labels than any
     * zone.
     */
    int first(QueryName name) {
        return Math.max(0, name.labels() - maxLabels);
    }

    /** The number of the zone whose name is the given suffix of a hashed name; {@link #NONE} if there is none. */
    int number(QueryName name, int suffix) {
        return numbers.find(name, suffix);
    }
}
