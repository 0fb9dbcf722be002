package io.ballast.policy.filter;

import io.ballast.http.policy.Refusal;
import io.ballast.policy.filter.call.CallOutcome;

/** The responses to requests about which a filter could not decide. */
final class FilterRefusals {

    private static final Refusal ERROR =
            new Refusal(500, "filter_error", "", /* closes= */ false, /* undecided= */ true);
    private static final Refusal TIMEOUT = Refusal.undecided("filter_timeout");
    private static final Refusal QUEUE_FULL = Refusal.undecided("filter_queue_full");
    private static final Refusal STUCK = Refusal.undecided("filter_stuck");

    private FilterRefusals() {}

    static Refusal of(CallOutcome outcome) {
        return switch (outcome) {
            case QUEUE_FULL -> QUEUE_FULL;
            case STUCK -> STUCK;
            case TIMEOUT -> TIMEOUT;
            case OK, ERROR, CANCELLED -> ERROR;
        };
    }
}
