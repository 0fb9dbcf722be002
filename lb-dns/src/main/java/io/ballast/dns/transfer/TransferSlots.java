package io.ballast.dns.transfer;

/** Counts the running transfers. Thread safety: confined to the thread that handles control messages. */
public final class TransferSlots {

    private int usedSlots;

    boolean tryAcquire(int max) {
        if (usedSlots >= max) {
            return false;
        }
        usedSlots++;
        return true;
    }

    void release() {
        usedSlots--;
    }
}
