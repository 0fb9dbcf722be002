package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.pool.PoolAddresses;
import io.ballast.dns.zone.pool.PoolView;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Type;

/**
 * Compiles the answers of a service for one record type from the current state of its pools. Thread safety: confined to
 * the compiler.
 */
abstract class TypeAnswers {

    private final ServiceConfig config;
    private final int type;
    private final Target target;
    private final AllDownAnswer allDown;
    private int ttlSeconds;
    private Served lastCompiled = Served.nothing(0);

    TypeAnswers(ServiceConfig config, int type, Target target, AllDownAnswer allDown) {
        this.config = config;
        this.type = type;
        this.target = target;
        this.allDown = allDown;
    }

    /**
     * The compiled answer for a type.
     *
     * @param source the source of the answers; null if there are no records
     * @param addresses function that returns the possible addresses in answers for clients of the region with a given
     *     id; empty if the type is not an address type
     */
    record Served(@Nullable AnswerSource source, IntFunction<List<InetAddress>> addresses, int ttlSeconds) {

        static Served nothing(int ttlSeconds) {
            return new Served(null, region -> List.of(), ttlSeconds);
        }
    }

    final int type() {
        return type;
    }

    final Served compile(PoolView view) {
        ttlSeconds = ttl(view);
        CompiledTarget compiled = target.compile(view, ttlSeconds);
        if (compiled.hasAnswer()) {
            allDown.remember(view);
            lastCompiled = new Served(compiled.source(), compiled.addresses(), ttlSeconds);
        } else {
            lastCompiled = allDown.compile(view, ttlSeconds);
        }
        return lastCompiled;
    }

    /** Returns the most recently compiled answers, which are in use. */
    final Served lastCompiled() {
        return lastCompiled;
    }

    /** Explains how the last compilation determined the answer for a client. */
    final Explanation explain(String name, String client, ExplainedClient who, PoolView view) {
        boolean answers = target.lastCompiled().hasAnswer();
        ExplainedTarget explained = target.explain("", answers, who, view);
        return new Explanation(
                name,
                Type.string(type),
                client,
                answers ? explained.reason() : allDown.reason(),
                answer(who, explained),
                lastCompiled.ttlSeconds(),
                ttlReason(answers, view),
                explained);
    }

    /** The data of the records that may be in the answer for a client. */
    abstract List<String> answer(ExplainedClient who, ExplainedTarget explained);

    private String ttlReason(boolean answers, PoolView view) {
        if (!answers && lastCompiled.ttlSeconds() < ttlSeconds) {
            return "short, because no backend is healthy";
        }
        if (remainingAliasTtl(view) < Ttl.seconds(config.ttl().clamp(stableFor(view)))) {
            return "no longer than the addresses of an alias may be cached";
        }
        if (config.ttl().isFixed()) {
            return "fixed";
        }
        Duration stable = stableFor(view);
        String bounds = " (between " + Ttl.seconds(config.ttl().min()) + " and "
                + Ttl.seconds(config.ttl().max()) + ")";
        return stable.equals(Backend.FOREVER)
                ? "checks cannot change the answer" + bounds
                : "checks could change the answer in " + stable.toSeconds() + " s at the earliest" + bounds;
    }

    /** Processes a check result of a backend. */
    final void recordCheck(Backend backend, HealthStatus.LastCheck check) {
        target.recordCheck(backend, check);
    }

    /** Returns whether the answers are outdated although the set of backends that take traffic is the same. */
    final boolean isStale(PoolView view) {
        return ttl(view) != ttlSeconds || target.isStale(view);
    }

    private int ttl(PoolView view) {
        return Math.min(Ttl.seconds(config.ttl().clamp(stableFor(view))), remainingAliasTtl(view));
    }

    /**
     * Returns the minimum remaining TTL in seconds of external addresses in these answers; {@link Integer#MAX_VALUE}
     * if there are none.
     */
    int remainingAliasTtl(PoolView view) {
        return Integer.MAX_VALUE;
    }

    /** Returns the minimum time until checks could change the answers. */
    private Duration stableFor(PoolView view) {
        if (config.ttl().isFixed()) {
            return Backend.FOREVER;
        }
        Duration min = Backend.FOREVER;
        for (String pool : config.target().pools()) {
            Duration stable = stableFor(view.addresses(pool));
            min = stable.compareTo(min) < 0 ? stable : min;
        }
        return min;
    }

    /** Returns the minimum time until checks can change the members of a pool that these answers use. */
    abstract Duration stableFor(PoolAddresses pool);
}
