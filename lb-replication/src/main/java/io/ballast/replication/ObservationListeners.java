package io.ballast.replication;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationListener;
import java.util.List;
import java.util.Set;

/**
 * Notifies several listeners, in their order. Each listener ignores the rows with topics that belong to another
 * listener.
 */
record ObservationListeners(List<ObservationListener> all) implements ObservationListener {

    ObservationListeners {
        all = List.copyOf(all);
    }

    @Override
    public void changed(List<Observation> present, List<Observation> gone) {
        all.forEach(listener -> listener.changed(present, gone));
    }

    @Override
    public void connected(Set<String> nodes) {
        all.forEach(listener -> listener.connected(nodes));
    }
}
