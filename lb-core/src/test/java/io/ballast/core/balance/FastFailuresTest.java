package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measures how many requests go to a backend that fails at once, out of four backends, none of which is
 * ejected. Time is simulated: clients send the next request as soon as they have a response, or arrive at a
 * fixed rate.
 */
class FastFailuresTest {

    private static final long FAILURE_NANOS = 50_000;
    private static final int REQUESTS = 40_000;

    private final List<Member> members = Backends.members(4);
    private final Backend failing = members.get(2).backend();
    private final Backend other = members.get(0).backend();
    private final SeededRequest request = new SeededRequest(11);

    /** The end of an exchange. */
    private record End(long nanos, long tookNanos, Backend backend) {}

    private final PriorityQueue<End> running = new PriorityQueue<>((a, b) -> Long.compare(a.nanos(), b.nanos()));

    @ParameterizedTest(name = "{displayName} [{index}]: {0}, {1} clients, answers in {2} ms")
    @CsvSource({
        "LEAST_CONNECTION, 64, 2",
        "LEAST_CONNECTION, 64, 20",
        "LEAST_CONNECTION, 64, 1000",
        "LEAST_CONNECTION, 1000, 20",
        "LEAST_CONNECTION, 4, 2",
        "POWER_OF_TWO, 64, 2",
        "POWER_OF_TWO, 64, 20",
        "POWER_OF_TWO, 64, 1000",
        "POWER_OF_TWO, 1000, 20",
        "POWER_OF_TWO, 4, 2",
        "LEAST_RESPONSE_TIME, 64, 2"
    })
    void retryingClientsAvoidFastFailures(StrategyKind strategy, int clients, long millis) {
        Picker picker = Strategies.create(StrategyConfig.of(strategy)).compile(members);
        long answer = Duration.ofMillis(millis).toNanos();
        long failed = 0;
        for (int i = 0; i < clients; i++) {
            failed += begin(picker, i * answer / clients, answer);
        }
        for (int i = clients; i < REQUESTS; i++) {
            failed += begin(picker, end(), answer);
        }

        assertThat((double) failed / REQUESTS).isLessThan(0.26);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}, {1} a second, answers in {2} ms")
    @CsvSource({
        "LEAST_CONNECTION, 20, 2",
        "LEAST_CONNECTION, 20, 1000",
        "LEAST_CONNECTION, 20, 10000",
        "LEAST_CONNECTION, 20000, 2",
        "POWER_OF_TWO, 20, 2",
        "POWER_OF_TWO, 20, 1000",
        "POWER_OF_TWO, 20, 10000",
        "POWER_OF_TWO, 20000, 2"
    })
    void steadyRateAvoidsFastFailures(StrategyKind strategy, int rate, long millis) {
        Picker picker = Strategies.create(StrategyConfig.of(strategy)).compile(members);
        long failed = 0;
        for (int i = 0; i < REQUESTS; i++) {
            long now = Duration.ofSeconds(i).toNanos() / rate;
            while (!running.isEmpty() && running.peek().nanos() <= now) {
                end();
            }
            failed += begin(picker, now, Duration.ofMillis(millis).toNanos());
        }

        assertThat((double) failed / REQUESTS).isLessThan(0.27);
    }

    /** Begins an exchange; returns 1 if it will fail. */
    private int begin(Picker picker, long now, long answer) {
        Backend backend = picker.pick(request.nowNanos(now));
        backend.inFlight().begin();
        boolean fails = backend == failing;
        long took = fails ? FAILURE_NANOS : answer;
        running.add(new End(now + took, took, backend));
        return fails ? 1 : 0;
    }

    /** Ends the next exchange and returns its end time. */
    private long end() {
        End next = running.remove();
        long now = next.nanos();
        Backend backend = next.backend();
        if (backend == failing) {
            backend.responseTime()
                    .recordFailure(FAILURE_NANOS, Duration.ofSeconds(1).toNanos(), now);
            backend.inFlight().recordFailure((long) (1000 * other.responseTime().micros(now)), now);
        } else {
            backend.responseTime().record(next.tookNanos(), now);
        }
        backend.inFlight().end();
        return now;
    }
}
