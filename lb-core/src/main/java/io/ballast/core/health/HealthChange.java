package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import org.slf4j.Logger;

/**
 * A state transition of a backend.
 *
 * @param from the previous state
 * @param to the new state; equal to {@code from} only if an override replaced another one or ended
 * @param origin the cause
 * @param reason a description
 */
record HealthChange(BackendState from, BackendState to, Origin origin, String reason) {

    /** Returns whether the backend fails. */
    boolean isFailure() {
        return to == BackendState.DOWN || to == BackendState.EJECTED;
    }

    /** Returns the log line that describes the change of a backend. */
    private String logLine(Backend backend) {
        return "backend=" + backend + " state=" + to.label() + " was=" + from.label() + " origin=" + origin.label()
                + " reason=\"" + reason.replace('"', '\'') + "\"";
    }

    /** Adds the change to the log and to the timeline. */
    void record(ControlPlane control, String pool, Backend backend, Logger log) {
        control.changeLog()
                .add("pool=" + pool + " state=" + to.label(), logLine(backend), isFailure() ? log::warn : log::info);
        control.timeline().add(origin, backend.toString(), to.label() + ": " + reason);
    }

    /** Returns whether the backend starts or stops getting traffic. */
    boolean changesUsability() {
        return from.isUsable() != to.isUsable();
    }
}
