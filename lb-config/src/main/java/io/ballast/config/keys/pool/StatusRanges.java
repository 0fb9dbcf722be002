package io.ballast.config.keys.pool;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.core.config.HealthCheck.StatusRange;
import java.util.List;

/** Configuration value types for response status codes. */
final class StatusRanges {

    /** One status or range. */
    static final Type<StatusRange> RANGE = Scalars.matchingOrNumber(
                    "status or range", "a status such as 200, or a range such as 200-299", "[0-9]{3}(-[0-9]{3})?")
            .map(StatusRanges::range, StatusRange::toString);

    /** One status or range, or a list of them. */
    static final Type<List<StatusRange>> RANGES = new BriefType<>(
            RANGE.map(List::of, ranges -> ranges.get(0)), ListType.atLeastOne(RANGE), ranges -> ranges.size() == 1);

    private StatusRanges() {}

    private static StatusRange range(String text) {
        int low = Integer.parseInt(text.substring(0, 3));
        return new StatusRange(low, text.length() == 3 ? low : Integer.parseInt(text.substring(4)));
    }
}
