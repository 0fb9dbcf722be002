package io.ballast.dns.zone;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.ServiceConfig;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AnswerSource;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One address family of a service: compiles its answers from what its pools are at the moment. Thread safety: confined to
 * the control plane.
 */
final class ServiceFamily {

    private final ServiceConfig config;
    private final AddressFamily family;
    private final Target target;
    private final AllDown allDown;
    private int ttlSeconds;

    ServiceFamily(ServiceConfig config, AddressFamily family, Targets targets, Cursors cursors) {
        this.config = config;
        this.family = family;
        this.target = targets.of(config.target());
        this.allDown = new AllDown(config, family, cursors.next());
    }

    /**
     * What is answered for a family at one moment.
     *
     * @param source null if there are no addresses
     * @param addresses all that may be in the answers for clients of a region, by its id
     */
    record Addresses(@Nullable AnswerSource source, IntFunction<List<InetAddress>> addresses, int ttlSeconds) {}

    AddressFamily family() {
        return family;
    }

    Addresses compile(Moment moment) {
        ttlSeconds = Ttl.seconds(config.ttl().of(stableFor(moment)));
        Compiled compiled = target.compile(moment, ttlSeconds);
        if (compiled.answers()) {
            allDown.remember(moment);
            return new Addresses(compiled.source(), compiled.addresses(), ttlSeconds);
        }
        return allDown.compile(moment, ttlSeconds);
    }

    /** Takes in a check of a backend. */
    void checked(Backend backend, HealthStatus.LastCheck check) {
        target.checked(backend, check);
    }

    /** Whether the answers would be others now, although the same backends take traffic. */
    boolean isStale(Moment moment) {
        return Ttl.seconds(config.ttl().of(stableFor(moment))) != ttlSeconds || target.isStale(moment);
    }

    /** The least time until checks could change the answers. */
    private Duration stableFor(Moment moment) {
        if (config.ttl().isFixed()) {
            return Backend.FOREVER;
        }
        Duration least = Backend.FOREVER;
        for (String pool : config.target().pools()) {
            Duration stable = moment.addresses(pool).stableFor(family);
            least = stable.compareTo(least) < 0 ? stable : least;
        }
        return least;
    }
}
