package io.ballast.policy.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.concurrency.PoolSimulation.Service;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests an adaptive limit with simulated pools; the time is simulated, too. */
class AdaptiveLimitTest {

    private static final Duration SETTLING = Duration.ofSeconds(30);
    private static final Duration MEASURED = Duration.ofSeconds(30);
    private static final Duration SERVICE_TIME = Duration.ofMillis(20);
    private static final int CAPACITY = 50;
    /** Requests per second that the pool can serve. */
    private static final double RATE = CAPACITY / 0.02;

    private static PoolSimulation pool(Service service) {
        return new PoolSimulation(CAPACITY, service, /* min= */ 10, /* max= */ 1000);
    }

    private static double goodput(PoolSimulation pool, double rate) {
        return pool.completed() / (rate * MEASURED.toSeconds());
    }

    private static Duration unloadedP99(Service service) {
        PoolSimulation idle = pool(service);
        idle.run(RATE / 10, MEASURED);
        return idle.p99();
    }

    @Test
    void overloadedPoolKeepsGoodputAndLatency() {
        for (Service service : new Service[] {Service.around(SERVICE_TIME), Service.exponential(SERVICE_TIME)}) {
            PoolSimulation pool = pool(service);
            pool.run(3 * RATE, SETTLING);
            pool.run(3 * RATE, MEASURED);

            assertThat(goodput(pool, RATE)).isGreaterThan(0.9);
            assertThat(pool.p99()).isLessThan(unloadedP99(service).multipliedBy(2));
        }
    }

    @Test
    void limitDoesNotDriftDuringLongOverload() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME));
        pool.run(3 * RATE, SETTLING);
        pool.run(3 * RATE, Duration.ofMinutes(2));

        assertThat(pool.highestLimit()).isLessThan(2 * CAPACITY);
        assertThat(pool.lowestLimit()).isGreaterThan(CAPACITY / 2);
    }

    @Test
    void followsSlowerAndFasterBackends() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME));
        pool.run(3 * RATE, SETTLING);

        Service slow = Service.around(SERVICE_TIME.multipliedBy(3));
        pool.service(slow);
        pool.run(RATE, SETTLING);
        pool.run(RATE, MEASURED);
        assertThat(goodput(pool, RATE / 3)).isGreaterThan(0.9);
        assertThat(pool.p99()).isLessThan(unloadedP99(slow).multipliedBy(2));

        Service fast = Service.around(SERVICE_TIME);
        pool.service(fast);
        pool.run(3 * RATE, SETTLING);
        pool.run(3 * RATE, MEASURED);
        assertThat(goodput(pool, RATE)).isGreaterThan(0.9);
        assertThat(pool.p99()).isLessThan(unloadedP99(fast).multipliedBy(2));
    }

    @Test
    void followsAddedBackends() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME));
        pool.run(3 * RATE, SETTLING);

        pool.resize(2 * CAPACITY);
        pool.run(6 * RATE, SETTLING);
        pool.run(6 * RATE, MEASURED);

        assertThat(goodput(pool, 2 * RATE)).isGreaterThan(0.9);
    }

    @Test
    void slowOutlierDoesNotReduceGoodput() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME).withOutlier(20_000, Duration.ofSeconds(10)));
        pool.run(3 * RATE, SETTLING);
        pool.run(3 * RATE, MEASURED);

        assertThat(goodput(pool, RATE)).isGreaterThan(0.9);
    }

    @Test
    void limitDoesNotGrowWhileItIsNotReached() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME));
        pool.run(/* perSecond= */ 25, Duration.ofMinutes(5)); // half a request in flight on average

        assertThat(pool.limit()).isEqualTo(10);
        assertThat(pool.refused()).isZero();
    }

    @Test
    void limitAllowsLoadBelowTheCapacity() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME));
        pool.run(0.7 * RATE, SETTLING);
        pool.run(0.7 * RATE, MEASURED);

        assertThat(pool.refused()).isZero();
    }

    @Test
    void failuresReduceTheLimitAndItRecovers() {
        PoolSimulation pool = pool(Service.around(SERVICE_TIME));
        pool.run(3 * RATE, SETTLING);

        pool.failing(0.3);
        pool.run(3 * RATE, Duration.ofSeconds(10));
        assertThat(pool.limit()).isEqualTo(10);

        pool.failing(0);
        pool.run(3 * RATE, SETTLING);
        pool.run(3 * RATE, MEASURED);
        assertThat(goodput(pool, RATE)).isGreaterThan(0.9);
    }

    @Test
    void limitStaysBetweenItsBounds() {
        PoolSimulation small = new PoolSimulation(CAPACITY, Service.around(SERVICE_TIME), /* min= */ 10, /* max= */ 20);
        small.run(3 * RATE, SETTLING);
        assertThat(small.highestLimit()).isEqualTo(20);

        PoolSimulation large =
                new PoolSimulation(CAPACITY, Service.around(SERVICE_TIME), /* min= */ 200, /* max= */ 1000);
        large.run(3 * RATE, SETTLING);
        assertThat(large.lowestLimit()).isEqualTo(200);
    }
}
