package io.ballast.http.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.testing.Backends;
import org.junit.jupiter.api.Test;

class BackendIdentitySetTest {

    private final BackendIdentitySet set = new BackendIdentitySet();

    @Test
    void containsAddedBackends() {
        Backend first = Backends.backend(0);
        Backend second = Backends.backend(40);
        set.add(first);
        set.add(second);

        set.remove(first);

        assertThat(set.contains(first)).isFalse();
        assertThat(set.contains(second)).isTrue();
    }

    @Test
    void distinguishesReusedId() {
        Backend former = Backends.backend(3);
        Backend present = Backends.backend(3);
        set.add(former);

        assertThat(set.contains(present)).isFalse();

        set.remove(present);
        assertThat(set.contains(former)).isTrue();
    }

    @Test
    void removedBackendIsNotAdded() {
        Backend former = Backends.backend(3);
        Backend present = Backends.backend(3);
        set.add(present);
        former.markRemoved();

        set.add(former);

        assertThat(set.contains(former)).isFalse();
        assertThat(set.contains(present)).isTrue();
    }

    @Test
    void removedBackendIsNotContained() {
        Backend backend = Backends.backend(0);
        set.add(backend);

        backend.markRemoved();

        assertThat(set.contains(backend)).isFalse();
    }
}
