/**
 * Measures the round-trip times of the clients of this machine. Start with {@link
 * io.ballast.agent.latency.ClientTimes}.
 */
@NullMarked
package io.ballast.agent.latency;

import org.jspecify.annotations.NullMarked;
