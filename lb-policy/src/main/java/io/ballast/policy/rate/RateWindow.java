package io.ballast.policy.rate;

import io.ballast.policy.config.Rate;

/**
 * A rate in the terms of the generic cell rate algorithm (GCRA, ITU-T I.371).
 *
 * @param increment the nanoseconds by which a request delays the theoretical arrival time of the next one
 * @param tolerance the maximum number of nanoseconds by which the theoretical arrival time may be in the future
 */
record RateWindow(long increment, long tolerance) {

    static RateWindow of(Rate rate) {
        long increment = Math.max(1, rate.period().toNanos() / rate.count());
        return new RateWindow(increment, increment * rate.burst());
    }
}
