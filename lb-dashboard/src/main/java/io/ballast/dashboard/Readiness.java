package io.ballast.dashboard;

/**
 * Whether new traffic may be sent to this process.
 *
 * @param ready true once every backend had its first check and every listener is bound, until draining begins, and while
 *     there are the usable backends that the configuration asks for
 * @param reason in words, for people: "ready", "listener web has no usable backend", "shutting down"
 */
public record Readiness(boolean ready, String reason) {

    public static final Readiness READY = new Readiness(true, "ready");

    public static Readiness waiting(String reason) {
        return new Readiness(false, reason);
    }
}
