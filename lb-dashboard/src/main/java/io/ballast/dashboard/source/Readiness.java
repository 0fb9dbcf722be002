package io.ballast.dashboard.source;

/**
 * Whether this process is ready for new traffic.
 *
 * @param isReady true if every listener is bound, every backend has had its first check, the configured
 *     minimum of usable backends is met, and the process is not draining
 * @param reason text for operators: "ready", "listener web has no usable backend", "shutting down"
 */
public record Readiness(boolean isReady, String reason) {

    public static final Readiness READY = new Readiness(true, "ready");

    public static Readiness notReady(String reason) {
        return new Readiness(false, reason);
    }
}
