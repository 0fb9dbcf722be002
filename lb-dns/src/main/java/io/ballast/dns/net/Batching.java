package io.ballast.dns.net;

/** Helps a receiving thread to collect larger batches of datagrams. */
public final class Batching {

    private Batching() {}

    /**
     * Yields the CPU briefly if another thread is ready to run: a local client can then send more queries
     * before they are received together. Sleeping and waking cost more than a query; under load on shared cores
     * this saves one fifth of the CPU per query. If no other thread is ready, the system call returns
     * immediately.
     */
    @SuppressWarnings("ThreadPriorityCheck") // yield is only a hint; it affects only the speed
    public static void yieldCpu() {
        Thread.yield();
    }
}
