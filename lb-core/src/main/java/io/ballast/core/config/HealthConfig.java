package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.config.vote.VotingConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * The checks of a pool's backends.
 *
 * @param check the check
 * @param interval the time from the end of one check to the start of the next, with a jitter of one tenth
 * @param fastInterval the interval while results contradict the current state, and before the first check
 *     after a backend went down. While it stays down, {@link #intervalWhileDown} grows from this value to
 *     {@code interval}. Not longer than {@code interval}
 * @param timeout the time limit for one check as a whole: connect, write and read
 * @param rise consecutive successes that mark a backend up
 * @param fall consecutive failures that mark it down
 * @param at the address of the checks
 * @param lazy whether backends that are up are checked only once at the start and after failed requests
 * @param proxyHeader the PROXY protocol header of check connections. If absent, checks at the backend's own
 *     address use the header of the pool's connections; checks at another address use none
 * @param voting how the nodes of a cluster decide together
 */
public record HealthConfig(
        HealthCheck check,
        Duration interval,
        Duration fastInterval,
        Duration timeout,
        int rise,
        int fall,
        CheckAddress at,
        boolean lazy,
        Optional<SentProxyHeader> proxyHeader,
        VotingConfig voting) {

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);
    public static final Duration DEFAULT_FAST_INTERVAL = Duration.ofSeconds(1);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);
    public static final int DEFAULT_RISE = 2;
    public static final int DEFAULT_FALL = 3;
    public static final int MAX_STREAK = 100;

    public static final HealthConfig DEFAULT =
            new HealthConfig(new HealthCheck.Tcp(), DEFAULT_INTERVAL, DEFAULT_TIMEOUT, DEFAULT_RISE, DEFAULT_FALL);

    public HealthConfig {
        Checks.positive(interval, "interval");
        Checks.positive(fastInterval, "fast_interval");
        Checks.that(fastInterval.compareTo(interval) <= 0, "fast_interval", fastInterval, "not longer than interval");
        Checks.positive(timeout, "timeout");
        Checks.between(rise, 1, MAX_STREAK, "rise");
        Checks.between(fall, 1, MAX_STREAK, "fall");
    }

    /** Creates a configuration with the default voting. */
    public HealthConfig(
            HealthCheck check,
            Duration interval,
            Duration fastInterval,
            Duration timeout,
            int rise,
            int fall,
            CheckAddress at,
            boolean lazy,
            Optional<SentProxyHeader> proxyHeader) {
        this(check, interval, fastInterval, timeout, rise, fall, at, lazy, proxyHeader, VotingConfig.DEFAULT);
    }

    /** Returns a copy with another voting. */
    public HealthConfig withVoting(VotingConfig other) {
        return new HealthConfig(check, interval, fastInterval, timeout, rise, fall, at, lazy, proxyHeader, other);
    }

    /** Creates a configuration whose checks use the PROXY protocol if the pool's connections do. */
    public HealthConfig(
            HealthCheck check,
            Duration interval,
            Duration fastInterval,
            Duration timeout,
            int rise,
            int fall,
            CheckAddress at,
            boolean lazy) {
        this(check, interval, fastInterval, timeout, rise, fall, at, lazy, Optional.empty());
    }

    /** Creates a configuration in which backends are always checked, whether or not requests fail. */
    public HealthConfig(
            HealthCheck check,
            Duration interval,
            Duration fastInterval,
            Duration timeout,
            int rise,
            int fall,
            CheckAddress at) {
        this(check, interval, fastInterval, timeout, rise, fall, at, /* lazy= */ false);
    }

    /** Creates a configuration in which backends are checked at their own addresses. */
    public HealthConfig(
            HealthCheck check, Duration interval, Duration fastInterval, Duration timeout, int rise, int fall) {
        this(check, interval, fastInterval, timeout, rise, fall, CheckAddress.SAME_AS_BACKEND);
    }

    /** Creates a configuration with the default fast interval, or with the interval if that is shorter. */
    public HealthConfig(HealthCheck check, Duration interval, Duration timeout, int rise, int fall) {
        this(check, interval, defaultFastInterval(interval), timeout, rise, fall);
    }

    /**
     * Returns the PROXY protocol header at the start of check connections.
     *
     * @param ofPool the header of the pool's connections
     * @param checkedAt the address of the checks
     */
    public SentProxyHeader proxyHeader(SentProxyHeader ofPool, CheckAddress checkedAt) {
        return proxyHeader.orElse(checkedAt.equals(CheckAddress.SAME_AS_BACKEND) ? ofPool : SentProxyHeader.NONE);
    }

    /** Returns the default fast interval for checks with the given regular interval. */
    public static Duration defaultFastInterval(Duration interval) {
        return DEFAULT_FAST_INTERVAL.compareTo(interval) < 0 ? DEFAULT_FAST_INTERVAL : interval;
    }

    /**
     * Returns the time between the end of a check and the start of the next one for a backend that is down. It
     * starts at the fast interval and doubles after each failed check, up to the interval.
     *
     * @param failedChecks the number of failed checks since the backend was found down; 0 or more
     */
    public Duration intervalWhileDown(int failedChecks) {
        Duration wait = fastInterval;
        for (int i = 0; i < failedChecks && wait.compareTo(interval) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(interval) < 0 ? wait : interval;
    }
}
