package io.ballast.dashboard.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.testing.DashboardFixture;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PanicJsonTest {

    private final ControlPlane control = new ManualScheduler().controlPlane();
    private Topology topology = DashboardFixture.topology(Map.of("web", 2));

    @Test
    void aPoolReportsPanicMode() {
        Pool withoutPanic = topology.pool("web");
        Pool pool = new Pool(
                withoutPanic.config().toBuilder().panicBelowPercent(100).build(),
                withoutPanic.members(),
                /* shards= */ 2);
        topology = DashboardFixture.after(topology, List.of(pool));
        assertThat(health()).contains("\"healthy_count\":2,\"usable_count\":2,\"panic\":false");

        pool.members()
                .get(0)
                .backend()
                .health(new HealthStatus(
                        BackendState.DOWN,
                        Instant.EPOCH,
                        HealthStatus.Origin.CHECK,
                        "connection refused",
                        HealthStatus.LastCheck.NONE));
        pool.refresh();

        assertThat(health()).contains("\"healthy_count\":1,\"usable_count\":2,\"panic\":true");
    }

    private String health() {
        ByteBuf json =
                StatsJson.health(new LiveStats(DashboardSources.of(() -> topology, control, "1")), Readiness.READY);
        try {
            return json.toString(StandardCharsets.UTF_8);
        } finally {
            json.release();
        }
    }
}
