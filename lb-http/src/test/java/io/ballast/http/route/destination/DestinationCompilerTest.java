package io.ballast.http.route.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.core.pool.Topology;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.policy.PolicySource;
import io.ballast.net.config.ClientLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

class DestinationCompilerTest {

    @Test
    void poolDestinationHasItsTopology() {
        Topology first = Pools.topology(Pools.pool("web", Pools.UNCHECKED, Backends.backend(0)));
        RouteConfig route = RouteConfig.of(null, null, new RouteAction.ToPool("web"));
        ListenerConfig listener = new ListenerConfig(
                "web",
                new HostPort("127.0.0.1", 80),
                List.of(route),
                ClientDeadlines.DEFAULT,
                ClientLimits.DEFAULT,
                ForwardingPolicies.of(Forwarding.OFF));

        Topology later = new Topology(first.configs(), first.pools(), /* generation= */ 7);
        Destination compiled = new DestinationCompiler(listener, later, PolicySource.NONE).compile(route);

        assertThat(compiled)
                .isInstanceOfSatisfying(
                        Route.ToPool.class, to -> assertThat(to.generation()).isEqualTo(7));
    }
}
