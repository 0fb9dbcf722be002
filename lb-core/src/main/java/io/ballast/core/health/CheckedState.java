package io.ballast.core.health;

import io.ballast.core.backend.BackendState;
import java.time.Duration;
import java.util.Optional;

/**
 * The state of a backend according to its checks and requests, without overrides.
 *
 * @param isChecked whether the backend has checks and an address to check
 * @param verdict unknown, up or down
 * @param reason the reason for the verdict
 * @param ejected the ejection, if the backend is ejected
 * @param okChecks consecutive successful checks since the last change of the verdict
 * @param failedChecks consecutive failed checks since the last change of the verdict
 * @param rise successful checks that make the verdict up
 * @param fall failed checks that make the verdict down
 */
record CheckedState(
        boolean isChecked,
        BackendState verdict,
        String reason,
        Optional<Ejected> ejected,
        int okChecks,
        int failedChecks,
        int rise,
        int fall) {

    /** An ejection, its reason and its remaining time. */
    record Ejected(String reason, Duration remaining) {}
}
