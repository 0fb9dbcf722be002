package io.ballast.server.compose;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.geo.Geography;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolGeographyTest {

    private static final byte[] CLIENT = {(byte) 192, 0, 2, 7};

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private final PoolGeography geography = new PoolGeography(control);
    private final TopologyBuilder builder = new TopologyBuilder(
            at -> new InetSocketAddress(at.host(), at.port()), /* shards= */ 1, Clock.systemUTC(), geography);

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws Exception {
        geography.close();
        control.close();
    }

    @Test
    void databaseIsReadOnlyIfUsed() throws Exception {
        geography.start(config("random", "eu"));
        assertThat(geography.get()).isNull();

        geography.start(config("geo", "eu"));
        assertThat(region()).isEqualTo("eu");
    }

    @Test
    void followsActiveConfiguration() throws Exception {
        geography.start(config("geo", "eu"));
        Geography before = geography.get();
        BallastConfig other = config("{type: sticky, within: geo}", "us");
        Topology pools = builder.build(other.pools());

        geography.prepare(other, pools).close();
        assertThat(geography.get()).isSameAs(before);
        try (PreparedChange change = geography.prepare(other, pools)) {
            change.commit();
            change.releasePrevious();
        }
        assertThat(region()).isEqualTo("us");

        Geography kept = geography.get();
        try (PreparedChange same = geography.prepare(other, pools)) {
            same.commit();
            same.releasePrevious();
        }
        assertThat(geography.get()).isSameAs(kept);

        BallastConfig none = config("random", "us");
        try (PreparedChange change = geography.prepare(none, builder.build(none.pools()))) {
            change.commit();
            change.releasePrevious();
        }
        assertThat(geography.get()).isNull();
    }

    /** Returns the region of the test client. */
    private String region() {
        Geography known = requireNonNull(geography.get());
        return known.regions().name(RegionTable.region(known.current().find(CLIENT)));
    }

    private BallastConfig config(String strategy, String region) throws Exception {
        Path file = directory.resolve("lb.yaml");
        Files.writeString(file, """
                listeners: [{bind: 127.0.0.1:8000, pool: web}]
                pools:
                  web:
                    strategy: STRATEGY
                    backends: [{address: "127.0.0.1:9001", region: REGION}]
                geo:
                  regions:
                    REGION: {cidrs: [192.0.2.0/24]}
                    other: {}
                  default_region: other
                """.replace("STRATEGY", strategy).replace("REGION", region));
        return ConfigLoader.ofProcess().load(file).config();
    }
}
