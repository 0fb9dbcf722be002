package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.ServiceConfig;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AnswerSource;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.pool.PoolView;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One address family of a service: compiles its answers from what its pools are at the moment. Thread safety: confined to
 * the compiler.
 */
final class ServiceFamily {

    private final ServiceConfig config;
    private final AddressFamily family;
    private final Target target;
    private final AllDown allDown;
    private int ttlSeconds;
    private Addresses last = new Addresses(null, region -> List.of(), 0);

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

    Addresses compile(PoolView view) {
        ttlSeconds = Ttl.seconds(config.ttl().of(stableFor(view)));
        Compiled compiled = target.compile(view, ttlSeconds);
        if (compiled.answers()) {
            allDown.remember(view);
            last = new Addresses(compiled.source(), compiled.addresses(), ttlSeconds);
        } else {
            last = allDown.compile(view, ttlSeconds);
        }
        return last;
    }

    /** Says what was compiled last, and why. */
    Explanation explain(String name, String client, ExplainedClient who, PoolView view) {
        boolean answers = target.last().answers();
        List<String> addresses = last.addresses().apply(who.region()).stream()
                .map(InetAddress::getHostAddress)
                .toList();
        String type = family == AddressFamily.IPV4 ? "A" : "AAAA";
        ExplainedTarget explained = target.explain("", answers, who, view);
        return new Explanation(
                name,
                type,
                client,
                answers ? explained.reason() : allDown.reason(),
                addresses,
                last.ttlSeconds(),
                ttlReason(answers, view),
                explained);
    }

    private String ttlReason(boolean answers, PoolView view) {
        if (!answers && last.ttlSeconds() < ttlSeconds) {
            return "short, because nothing is healthy";
        }
        if (config.ttl().isFixed()) {
            return "fixed";
        }
        Duration stable = stableFor(view);
        String bounds = " (between " + Ttl.seconds(config.ttl().min()) + " and "
                + Ttl.seconds(config.ttl().max()) + ")";
        return stable.equals(Backend.FOREVER)
                ? "checks change nothing" + bounds
                : "checks could change something in " + stable.toSeconds() + " s at the earliest" + bounds;
    }

    /** Takes in a check of a backend. */
    void checked(Backend backend, HealthStatus.LastCheck check) {
        target.checked(backend, check);
    }

    /** Whether the answers would be others now, although the same backends take traffic. */
    boolean isStale(PoolView view) {
        return Ttl.seconds(config.ttl().of(stableFor(view))) != ttlSeconds || target.isStale(view);
    }

    /** The least time until checks could change the answers. */
    private Duration stableFor(PoolView view) {
        if (config.ttl().isFixed()) {
            return Backend.FOREVER;
        }
        Duration least = Backend.FOREVER;
        for (String pool : config.target().pools()) {
            Duration stable = view.addresses(pool).stableFor(family);
            least = stable.compareTo(least) < 0 ? stable : least;
        }
        return least;
    }
}
