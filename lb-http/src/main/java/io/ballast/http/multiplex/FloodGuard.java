package io.ballast.http.multiplex;

import io.ballast.http.net.Worker;

/**
 * Limits the useless work that a client can cause: streams reset by either side (CVE-2023-44487,
 * CVE-2025-8671), PING, SETTINGS, PRIORITY, WINDOW_UPDATE and empty frames. Each connection has an allowance.
 * It grows with time and with served requests, so that ordinary clients never exhaust it. Event-loop
 * confined.
 */
public final class FloodGuard {

    public static final int FRAME = 1;
    /** Cost of a stream that was reset before its response ended; a request may have been sent to a backend. */
    public static final int RESET = 20;

    private static final int MAX = 10_000;
    private static final int PER_SECOND = 2_000;
    /** Tokens that each served response, and each 16 KiB of body in either direction, add to the allowance. */
    private static final int EARNED_ALLOWANCE = 5;

    private static final int EARNING_BYTES = 16 * 1024;
    private static final long NANOS_PER_TOKEN = 1_000_000_000L / PER_SECOND;

    private final Worker worker;
    private int allowance = MAX;
    private long refilledNanos;
    private int uncreditedBytes;

    public FloodGuard(Worker worker) {
        this.worker = worker;
        this.refilledNanos = worker.now();
    }

    /** Charges {@code cost}; false if the allowance is exceeded. */
    public boolean spend(int cost) {
        if (allowance < cost) {
            refill();
        }
        allowance -= cost;
        return allowance >= 0;
    }

    /** Adds the allowance earned by a served response. */
    void creditResponse() {
        allowance = Math.min(MAX, allowance + EARNED_ALLOWANCE);
    }

    /** Adds an allowance for two window updates per sent frame: one for the stream and one for the connection. */
    public void creditSentFrames(int frames) {
        allowance = Math.min(MAX, allowance + 2 * frames);
    }

    /** Adds the allowance earned by {@code bytes} of body. */
    void creditBodyBytes(int bytes) {
        uncreditedBytes += bytes;
        if (uncreditedBytes >= EARNING_BYTES) {
            allowance = Math.min(MAX, allowance + EARNED_ALLOWANCE * (uncreditedBytes / EARNING_BYTES));
            uncreditedBytes %= EARNING_BYTES;
        }
    }

    private void refill() {
        long passed = (worker.now() - refilledNanos) / NANOS_PER_TOKEN;
        if (passed > 0) {
            refilledNanos += passed * NANOS_PER_TOKEN;
            allowance = (int) Math.min(MAX, allowance + passed);
        }
    }
}
