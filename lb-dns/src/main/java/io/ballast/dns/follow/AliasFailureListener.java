package io.ballast.dns.follow;

import java.util.List;

/**
 * Receives reports of alias targets that cannot be resolved. Called by the executor of {@link AliasResolver}.
 */
public interface AliasFailureListener {

    /** Ignores all reports. */
    AliasFailureListener NO_OP = new AliasFailureListener() {
        @Override
        public void onFailing(List<String> names, String reason) {}

        @Override
        public void onRecovered(List<String> names) {}
    };

    /**
     * Reports names whose last answer has expired without a new answer.
     *
     * @param names the failing names, at least one, in alphabetical order
     * @param reason plain-text reason why the first name fails
     */
    void onFailing(List<String> names, String reason);

    /** Reports names that resolve again after they failed. */
    void onRecovered(List<String> names);
}
