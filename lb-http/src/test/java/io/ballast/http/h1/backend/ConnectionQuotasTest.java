package io.ballast.http.h1.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Connections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionQuotasTest {

    private final ConnectionQuotas quotas = new ConnectionQuotas(List.of());
    private final Backend backend = Backends.backend(1);
    private final BackendConnections two = new Connections().maxConnections(2).build();
    private final BackendConnections three = new Connections().maxConnections(3).build();

    /** Event loops retire a backend one after the other, and requests arrive in between. */
    @Test
    void eventLoopsAlwaysShareOneQuota() {
        ConnectionQuota ofFirst = quotas.acquire(backend, two);
        ConnectionQuota ofSecond = quotas.acquire(backend, two);

        quotas.release(ofFirst);
        ofFirst = quotas.acquire(backend, two);
        quotas.release(ofSecond);
        ofSecond = quotas.acquire(backend, two);

        assertThat(ofSecond).isSameAs(ofFirst);
    }

    @Test
    void newLimitAppliesToNewUsers() {
        ConnectionQuota former = quotas.acquire(backend, two);
        ConnectionQuota ofFirst = quotas.acquire(backend, three);
        quotas.release(former);

        assertThat(quotas.acquire(backend, three)).isSameAs(ofFirst).isNotSameAs(former);
    }

    @Test
    void unusedQuotaIsRemoved() {
        ConnectionQuota former = quotas.acquire(backend, two);
        quotas.release(former);

        assertThat(quotas.acquire(backend, two)).isNotSameAs(former);
    }
}
