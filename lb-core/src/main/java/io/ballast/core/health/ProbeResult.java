package io.ballast.core.health;

import java.time.Duration;

/**
 * What one check found.
 *
 * @param isVerdict false if the check could not be made for a reason of our own, so that it says nothing of the backend
 * @param ok whether the backend is fit
 * @param took from its start to the verdict
 * @param text the verdict in words: "connected", "200 OK", "connection refused", "no answer within 1s"
 */
public record ProbeResult(boolean isVerdict, boolean ok, Duration took, String text) {

    /** A verdict. */
    public ProbeResult(boolean ok, Duration took, String text) {
        this(/* isVerdict= */ true, ok, took, text);
    }

    /** The check could not be made, for a reason of our own. */
    public static ProbeResult none(Duration took, String text) {
        return new ProbeResult(/* isVerdict= */ false, /* ok= */ false, took, text);
    }
}
