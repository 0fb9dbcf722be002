package io.ballast.dns.transfer;

/** The number of running transfers. Thread safety: confined to the handling thread. */
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
