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
     * Picks a backend that is not {@linkplain PickContext#isExcluded excluded} and not full. A caller that
     * excludes the returned backend and calls again gets the next choice. If the strategy has an order of
     * preference, the choices follow this order.
     *
     * @return the choice, or null if no member is left
     */
    @Nullable Backend pick(PickContext context);
}
