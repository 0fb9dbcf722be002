package io.ballast.replication;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationListener;
import java.util.List;
import java.util.Set;

/** Notifies several listeners of the rows of other nodes; each ignores topics that it does not know. Immutable. */
record RowListeners(List<ObservationListener> all) implements ObservationListener {

    @Override
    public void changed(List<Observation> present, List<Observation> gone) {
        all.forEach(each -> each.changed(present, gone));
    }

    @Override
    public void connected(Set<String> nodes) {
        all.forEach(each -> each.connected(nodes));
    }
}
