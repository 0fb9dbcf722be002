package io.ballast.dns.net;

/** Settings for larger batches of datagrams. */
public final class Batching {

    private Batching() {}

    /**
     * Gives the core away for a moment, if another thread wants it: a client on this machine then sends more queries before
     * they are received, together. To sleep and to be woken costs more than a query; under load on shared cores this
     * saves a fifth of the CPU of each. When no thread wants the core, it is a system call that returns at once.
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint is what is meant: nothing but speed depends on it
    public static void gather() {
        Thread.yield();
    }
}
