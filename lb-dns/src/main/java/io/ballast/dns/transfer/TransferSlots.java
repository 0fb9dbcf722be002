package io.ballast.dns.transfer;

/** How many transfers are on their way. Thread safety: confined to the thread that handles. */
public final class TransferSlots {

    private int taken;

    boolean take(int most) {
        if (taken >= most) {
            return false;
        }
        taken++;
        return true;
    }

    void giveBack() {
        taken--;
    }
}
