package io.ballast.dns.follow;

import java.util.List;

/** Receives reports of followed names that cannot be resolved. Called by the executor of {@link AliasResolver}. */
public interface AliasFailureListener {

    /** Ignores all reports. */
    AliasFailureListener UNTOLD = new AliasFailureListener() {
        @Override
        public void failing(List<String> names, String reason) {}

        @Override
        public void recovered(List<String> names) {}
    };

    /**
     * Reports names whose TTL has ended, and that have not been answered since.
     *
     * @param names at least one name, in alphabetical order
     * @param reason plain-text reason for the first one
     */
    void failing(List<String> names, String reason);

    /** Reports names that are answered again. */
    void recovered(List<String> names);
}
