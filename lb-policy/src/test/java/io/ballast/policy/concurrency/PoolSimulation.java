package io.ballast.policy.concurrency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Simulates a pool that serves a number of requests at the same time and queues further ones, behind an adaptive limit.
 * Requests arrive at random, as if many independent clients sent them. The time is simulated.
 */
final class PoolSimulation {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Draws the time that a request takes. */
    interface Service {
        double nanos(SplittableRandom random);

        /** Returns times that differ from the mean by at most a fifth. */
        static Service around(Duration mean) {
            return random -> mean.toNanos() * (0.8 + 0.4 * random.nextDouble());
        }

        /** Returns exponentially distributed times. */
        static Service exponential(Duration mean) {
            return random -> -mean.toNanos() * Math.log(1 - random.nextDouble());
        }

        /** Returns these times, but every n-th one is the given time. */
        default Service withOutlier(int every, Duration time) {
            int[] count = {0};
            return random -> ++count[0] % every == 0 ? time.toNanos() : nanos(random);
        }
    }

    private record Completion(double end, double latency, boolean fails) implements Comparable<Completion> {
        @Override
        public int compareTo(Completion other) {
            return Double.compare(end, other.end);
        }
    }

    private final SplittableRandom random = new SplittableRandom(42);
    private final AdaptiveLimit limit;
    private final PoolPermits permits;
    private final PriorityQueue<Double> servers = new PriorityQueue<>();
    private final PriorityQueue<Completion> completions = new PriorityQueue<>();
    private Service service;
    private double now;
    private double nextArrival;
    private List<Double> latencies = new ArrayList<>();
    private double failingShare;
    private int highestLimit;
    private int lowestLimit;
    private int refused;

    PoolSimulation(int capacity, Service service, int min, int max) {
        this.service = service;
        this.limit = new AdaptiveLimit(min, max, /* now= */ 0);
        this.permits = new PoolPermits(max, limit);
        resize(capacity);
    }

    /** Sets how many requests the pool serves at the same time; requests in service continue. */
    void resize(int capacity) {
        servers.clear();
        for (int i = 0; i < capacity; i++) {
            servers.add(now);
        }
    }

    void service(Service next) {
        service = next;
    }

    /** Sets the share of requests that fail. */
    void failing(double share) {
        failingShare = share;
    }

    /** Lets requests arrive for a time, and begins new statistics. */
    void run(double perSecond, Duration time) {
        latencies = new ArrayList<>();
        highestLimit = limit.limit();
        lowestLimit = limit.limit();
        refused = 0;
        double end = now + time.toNanos();
        nextArrival = now + gap(perSecond);
        while (now < end) {
            Completion next = completions.peek();
            if (next != null && next.end() <= nextArrival) {
                complete(completions.remove());
            } else {
                now = nextArrival;
                nextArrival = now + gap(perSecond);
                arrive();
            }
            highestLimit = Math.max(highestLimit, limit.limit());
            lowestLimit = Math.min(lowestLimit, limit.limit());
        }
    }

    private double gap(double perSecond) {
        return -SECOND / perSecond * Math.log(1 - random.nextDouble());
    }

    private void arrive() {
        if (!permits.tryAcquire(/* key= */ 1)) {
            refused++;
            return;
        }
        double begin = Math.max(now, servers.remove());
        double end = begin + service.nanos(random);
        servers.add(end);
        completions.add(new Completion(end, end - now, random.nextDouble() < failingShare));
    }

    private void complete(Completion completion) {
        now = completion.end();
        if (completion.fails()) {
            limit.failed((long) now);
        } else {
            limit.succeeded((long) completion.latency(), (long) now);
            latencies.add(completion.latency());
        }
        permits.release(/* key= */ 1);
    }

    int completed() {
        return latencies.size();
    }

    int refused() {
        return refused;
    }

    /** The latency that 99 % of the requests do not exceed. */
    Duration p99() {
        List<Double> sorted = new ArrayList<>(latencies);
        Collections.sort(sorted);
        return Duration.ofNanos(sorted.get((int) (sorted.size() * 0.99)).longValue());
    }

    int limit() {
        return limit.limit();
    }

    /** The highest limit since the statistics began. */
    int highestLimit() {
        return highestLimit;
    }

    /** The lowest limit since the statistics began. */
    int lowestLimit() {
        return lowestLimit;
    }
}
