package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.config;
import static io.ballast.discovery.DiscoveryFixture.named;
import static io.ballast.discovery.DiscoveryFixture.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.PoolDiscovery;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which sources run, and which backends stay in use, when a reload changes the sources. */
class DiscoveryReloadTest extends DiscoverySetup {

    @Test
    void reloadStopsAndStartsSources() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        TestSource more = source("more");
        discovery().follow(config(pool("web", List.of(), named("app"), named("third"))));
        source("third").found("10.0.0.3");
        more.found("10.0.0.2");
        scheduler.advance(SECOND);

        assertThat(more.closed).isTrue();
        assertThat(source("app").closed).isFalse();
        assertThat(applied).last().isEqualTo(List.of("10.0.0.1:80", "10.0.0.3:80"));
    }

    @Test
    void changedSourceKeepsBackendsUntilFirstAnswer() {
        discovery().follow(consul("old", SECOND, /* allowLocal= */ false));
        consul("old").found("10.0.0.1", "10.0.0.2");
        consul("old").failed("ACL not found");
        scheduler.advance(SECOND);
        Overlay before = active;

        BallastConfig next = consul("new", SECOND.multipliedBy(2), /* allowLocal= */ false);
        assertThat(addresses(before, next)).containsExactly("10.0.0.1:80", "10.0.0.2:80");
        discovery().follow(next);
        consul("new").failed("connection refused");
        scheduler.advance(SECOND.multipliedBy(100));

        assertThat(addresses(active, next)).containsExactly("10.0.0.1:80", "10.0.0.2:80");
        assertThat(consul("old").closed).isTrue();
        assertThat(texts())
                .last()
                .isEqualTo("web consul web: connection refused; the last discovered backends stay in use");
        assertThat(discovery().stats())
                .extracting(each -> each.backends() + " " + each.failures() + " "
                        + each.lastSuccess().isPresent())
                .containsExactly("2 2 true");

        consul("new").found("10.0.0.2");
        scheduler.advance(SECOND);

        assertThat(applied).last().isEqualTo(List.of("10.0.0.2:80"));
    }

    @Test
    void restoredBackendsAreNotFreshResults() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        discovery().close();
        Discovery next = newDiscovery();
        started = next;
        next.restore(config);
        next.start();
        scheduler.runDue();
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(SECOND);

        PoolDiscovery other = new PoolDiscovery(named("app").source(), Duration.ZERO, /* allowLocal= */ false);
        next.follow(config(pool("web", List.of(), other)));
        scheduler.advance(SECOND.multipliedBy(2));

        assertThat(addresses(active)).containsExactly("10.0.0.1:80", "10.0.0.2:80");
    }

    @Test
    void localAddressesLeaveWhenDisallowed() {
        discovery().follow(consul("token", SECOND, /* allowLocal= */ true));
        consul("token").found("10.0.0.1", "127.0.0.1");
        scheduler.advance(SECOND);
        assertThat(applied).last().isEqualTo(List.of("10.0.0.1:80", "127.0.0.1:80"));

        discovery().follow(consul("token", SECOND, /* allowLocal= */ false));
        scheduler.advance(SECOND);

        assertThat(applied).last().isEqualTo(List.of("10.0.0.1:80"));
    }

    private static BallastConfig consul(String token, Duration hold, boolean allowLocal) {
        return config(pool("web", List.of(), new PoolDiscovery(agent(token), hold, allowLocal)));
    }

    private static DiscoveryConfig agent(String token) {
        return new DiscoveryConfig.Consul(
                DiscoveryConfig.Consul.DEFAULT_ADDRESS, "web", Optional.empty(), Optional.of(token), Optional.empty());
    }

    private TestSource consul(String token) {
        return Objects.requireNonNull(sources.get(agent(token)));
    }
}
