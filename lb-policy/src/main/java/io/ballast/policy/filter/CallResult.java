package io.ballast.policy.filter;

import io.ballast.policy.filter.call.CallOutcome;
import io.ballast.policy.filter.call.CallRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call of a filter.
 *
 * @param value the result of the filter; null unless the outcome is {@link CallOutcome#OK}
 */
record CallResult<T>(CallOutcome outcome, @Nullable T value) {

    static <T> CallResult<T> failed(CallOutcome outcome) {
        return new CallResult<>(outcome, /* value= */ null);
    }

    static <T> CallResult<T> of(@Nullable T value, @Nullable Throwable failure) {
        if (value != null) {
            return new CallResult<>(CallOutcome.OK, value);
        }
        return failed(failure instanceof CallRefusedException refused ? refused.outcome() : CallOutcome.ERROR);
    }
}
