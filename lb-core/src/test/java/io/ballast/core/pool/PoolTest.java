package io.ballast.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.balance.Member;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import io.ballast.core.testing.SeededRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolTest {

    private final List<Member> members = Backends.members(3);
    private final Pool pool = Pools.pool("web", Pools.UNCHECKED, members);

    @Test
    void firstSnapshotHasUsableMembers() {
        assertThat(pool.name()).isEqualTo("web");
        assertThat(pool.members()).isEqualTo(members);
        assertThat(pool.snapshot().usable()).isEqualTo(members);
        assertThat(pool.snapshot().picker().pick(new SeededRequest(1))).isSameAs(backend(0));
    }

    @ParameterizedTest
    @EnumSource(BackendState.class)
    void refreshUpdatesUsableMembers(BackendState state) {
        become(backend(1), state);

        pool.refresh();

        assertThat(pool.snapshot().usable().contains(members.get(1))).isEqualTo(state.isUsable());
        assertThat(pool.snapshot().usable()).contains(members.get(0), members.get(2));
        assertThat(pool.members()).hasSize(3);
    }

    @Test
    void snapshotIsKeptWithoutRefresh() {
        PoolSnapshot before = pool.snapshot();

        become(backend(1), BackendState.DOWN);

        assertThat(pool.snapshot()).isSameAs(before);
        assertThat(before.usable()).hasSize(3);
    }

    @Test
    void zeroWeightMemberGetsNoTraffic() {
        List<Member> weighted = Backends.weighted(1, 0, 2);

        Pool spare = Pools.pool("spare", Pools.UNCHECKED, weighted);

        assertThat(spare.snapshot().usable()).containsExactly(weighted.get(0), weighted.get(2));
        assertThat(spare.members()).hasSize(3);
    }

    @Test
    void strategyContinuesAcrossRefresh() {
        pool.snapshot().picker().pick(new SeededRequest(1));

        pool.refresh();

        assertThat(pool.snapshot().picker().pick(new SeededRequest(1))).isSameAs(backend(1));
    }

    @Test
    void listenersAreCalledAfterPublication() {
        List<PoolSnapshot> notified = new ArrayList<>();
        pool.onRefresh(snapshot -> {
            throw new IllegalStateException("expected in this test");
        });
        pool.onRefresh(snapshot -> {
            assertThat(pool.snapshot()).isSameAs(snapshot);
            notified.add(snapshot);
        });

        pool.refresh();

        assertThat(notified).containsExactly(pool.snapshot());
    }

    @Test
    void topologyFindsPoolsByName() {
        Pool other = Pools.pool("api", Pools.UNCHECKED, Backends.members(1));
        Topology topology = Pools.topology(pool, other);

        assertThat(topology.pool("api")).isSameAs(other);
        assertThat(topology.poolList()).containsExactly(pool, other);
        assertThatThrownBy(() -> topology.pool("nope"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pool: nope (expected: one of [web, api])");
    }

    private Backend backend(int index) {
        return members.get(index).backend();
    }

    private static void become(Backend backend, BackendState state) {
        backend.health(new HealthStatus(state, Instant.EPOCH, Origin.CHECK, "test", LastCheck.NONE));
    }
}
