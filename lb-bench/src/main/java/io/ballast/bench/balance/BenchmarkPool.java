package io.ballast.bench.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.LoadCells;
import io.ballast.core.balance.CheckTimes;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.HostPort;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Members under load: each has 1 to 40 exchanges in flight and response times of 1 to 100 ms, so that no strategy takes
 * a shortcut for idle or unknown members.
 */
final class BenchmarkPool {

    private static final int SHARDS = 1;
    private static final long SEED = 1;

    private BenchmarkPool() {}

    static List<Member> members(int count, Weights weights) {
        SplittableRandom random = new SplittableRandom(SEED);
        LoadCells load = new LoadCells(count);
        return IntStream.range(0, count)
                .mapToObj(id -> new Member(backend(id, random, load), weights.of(id), /* priority= */ id % 2))
                .toList();
    }

    /**
     * If the strategy uses check times, sets the check times of its members: 2, 32 and 62 ms, each for a third of
     * the members. Returns the strategy.
     */
    static Strategy checked(Strategy strategy, List<Member> members) {
        CheckTimes times = strategy.checkTimes();
        if (times != null) {
            for (int i = 0; i < members.size(); i++) {
                Duration took = Duration.ofMillis(2 + 30 * (i % 3));
                times.add(members.get(i).backend(), new HealthStatus.LastCheck(/* ok= */ true, took, "connected"));
            }
        }
        return strategy;
    }

    private static Backend backend(int id, SplittableRandom random, LoadCells load) {
        HostPort address = new HostPort("10.0." + (id >>> 8) + "." + (id & 0xFF), 8080);
        Backend backend = new Backend(
                id,
                "pool",
                address,
                InetSocketAddress.createUnresolved(address.host(), address.port()),
                /* maxInFlight= */ 1000,
                SHARDS,
                HealthStatus.unknown(Instant.EPOCH),
                load);
        int inFlight = random.nextInt(1, 41);
        for (int i = 0; i < inFlight; i++) {
            backend.inFlight().begin();
        }
        backend.responseTime()
                .record(Duration.ofMillis(random.nextInt(1, 101)).toNanos(), BenchmarkRequest.START_NANOS);
        return backend;
    }
}
