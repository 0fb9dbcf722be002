package io.ballast.discovery;

import io.ballast.core.backend.OrderTerms;
import io.ballast.core.config.BackendConfig;
import java.util.Optional;

/**
 * What an operator did about one backend of one pool. It holds as long as the file says of the backend what it said then: who
 * changes the file means it.
 *
 * @param backend as it was added or changed; as it was, if it was removed
 * @param file what the file said of it then; absent if it was not there
 */
record BackendEdit(Kind kind, BackendConfig backend, Optional<BackendConfig> file, OrderTerms terms) {

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
