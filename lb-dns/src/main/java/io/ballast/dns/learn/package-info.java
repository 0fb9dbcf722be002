/**
 * Round-trip times that agents report for networks of clients, for latency routing: {@link
 * io.ballast.dns.learn.RoundTripTimes} takes them in, {@link io.ballast.dns.learn.KnownNetworks} is what queries are
 * looked up in.
 */
@NullMarked
package io.ballast.dns.learn;

import org.jspecify.annotations.NullMarked;
