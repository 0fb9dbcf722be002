package io.ballast.dns.transfer;

/** The number of running transfers. Thread safety: confined to the handling thread. */
public final class TransferSlots {

    private int taken;

    boolean take(int max) {
        if (taken >= max) {
            return false;
        }
        taken++;
        return true;
    }

    void release() {
        taken--;
    }
}
