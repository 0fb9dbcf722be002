package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import org.jspecify.annotations.Nullable;

/**
 * A strategy compiled for one set of members.
 *
 * <p>Thread safety: any number of threads may pick concurrently. Cost: constant in the number of members unless the
 * strategy's documentation states otherwise; picking allocates nothing and takes no lock.
 */
@FunctionalInterface
public interface Picker {

    /** The picker for an empty set of members; always returns null. */
    Picker NONE = context -> null;

    /**
     * Picks a backend that is not {@linkplain PickContext#isExcluded excluded} and not full. If the caller
     * excludes the last answer and calls again, it gets the next choice, in the strategy's order of preference if
     * there is one.
     *
     * @return the choice, or null if no member is left
     */
    @Nullable Backend pick(PickContext context);
}
