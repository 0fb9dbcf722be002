package io.ballast.core.health;

import io.ballast.core.backend.BackendState;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.vote.BackendVotes;
import io.ballast.core.vote.VoteReport;
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
 * @param votes the votes of the nodes; empty outside of a cluster
 */
record CheckedState(
        boolean isChecked,
        BackendState verdict,
        String reason,
        Optional<Ejected> ejected,
        int okChecks,
        int failedChecks,
        int rise,
        int fall,
        Optional<VoteReport> votes) {

    /** @param ejectionLeft the remaining time of the ejection, if the backend is ejected */
    static CheckedState of(
            HealthMachine machine,
            boolean isChecked,
            Duration ejectionLeft,
            HealthConfig config,
            Optional<BackendVotes> votes) {
        return new CheckedState(
                isChecked,
                machine.verdict(),
                machine.verdictReason(),
                machine.isEjected()
                        ? Optional.of(new Ejected(machine.ejectionReason(), ejectionLeft))
                        : Optional.empty(),
                machine.okChecks(),
                machine.failedChecks(),
                config.rise(),
                config.fall(),
                votes.map(BackendVotes::report));
    }

    /** An ejection, its reason and its remaining time. */
    record Ejected(String reason, Duration remaining) {}
}
