package io.ballast.discovery;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.BackendConfig;
import java.util.Optional;

/**
 * An operator's edit of one backend of a pool. The edit is dropped when the backend's entry in the
 * configuration file changes.
 *
 * @param backend the added or changed backend, or the backend as it was before its removal
 * @param fileEntry the entry in the configuration file at the time of the edit; absent if there was none
 */
record BackendEdit(Kind kind, BackendConfig backend, Optional<BackendConfig> fileEntry, OverrideTerms terms) {

    enum Kind {
        ADDED("added"),
        CHANGED("changed"),
        REMOVED("removed");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
