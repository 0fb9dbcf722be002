package io.ballast.http.h2.client;

import io.ballast.http.net.Worker;

/**
 * Bounds what a client makes us do for nothing: streams that it resets or has us reset (CVE-2023-44487, CVE-2025-8671),
 * pings, settings, priorities, updates of windows, empty frames. There is an allowance for each connection; it grows with
 * time, and with what is really served, so that no ordinary client comes near its end. Event-loop confined.
 */
final class FloodGuard {

    static final int FRAME = 1;
    /** A stream that ended before its response did: a request may have been sent to a backend for it. */
    static final int RESET = 20;

    private static final int MOST = 10_000;
    private static final int PER_SECOND = 2_000;
    /** What a response that was served earns, and 16 KiB of body in either direction. */
    private static final int EARNED = 5;

    private static final int EARNING_BYTES = 16 * 1024;
    private static final long NANOS_PER_TOKEN = 1_000_000_000L / PER_SECOND;

    private final Worker worker;
    private int allowance = MOST;
    private long refilledNanos;
    private int movedBytes;

    FloodGuard(Worker worker) {
        this.worker = worker;
        this.refilledNanos = worker.now();
    }

    /** Whether that can be afforded. */
    boolean spend(int cost) {
        if (allowance < cost) {
            refill();
        }
        allowance -= cost;
        return allowance >= 0;
    }

    /** A response was served. */
    void served() {
        allowance = Math.min(MOST, allowance + EARNED);
    }

    /** So many frames went out, for each of which the windows of stream and connection may be opened. */
    void opened(int frames) {
        allowance = Math.min(MOST, allowance + 2 * frames);
    }

    /** So many octets of a body passed. */
    void moved(int bytes) {
        movedBytes += bytes;
        if (movedBytes >= EARNING_BYTES) {
            allowance = Math.min(MOST, allowance + EARNED * (movedBytes / EARNING_BYTES));
            movedBytes %= EARNING_BYTES;
        }
    }

    private void refill() {
        long passed = (worker.now() - refilledNanos) / NANOS_PER_TOKEN;
        if (passed > 0) {
            refilledNanos += passed * NANOS_PER_TOKEN;
            allowance = (int) Math.min(MOST, allowance + passed);
        }
    }
}
