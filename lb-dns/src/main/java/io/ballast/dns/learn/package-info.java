/**
 * Round-trip times that agents report for client networks, for latency routing: {@link
 * io.ballast.dns.learn.RoundTripTimes} collects them, and {@link io.ballast.dns.learn.NetworkIndex} is the lookup
 * table for queries.
 */
@NullMarked
package io.ballast.dns.learn;

import org.jspecify.annotations.NullMarked;
