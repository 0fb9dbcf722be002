package io.ballast.dns.transfer;

/** How many transfers are on their way. Thread safety: confined to the thread that handles. */
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
