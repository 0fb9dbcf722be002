package io.ballast.policy.work;

import io.ballast.core.hash.SipHash24;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The services of the process that policies use.
 *
 * @param eventLoops the number of event loops
 * @param random a secure source of keys
 * @param nanoTime the monotonic clock; see {@link System#nanoTime}
 * @param millis the time of day in milliseconds since 1970
 * @param work runs slow decisions, such as the verification of passwords
 * @param tokenWork verifies tokens, which passwords must not delay
 * @param events reports changes of state to operators
 * @param files watches the files of policies
 * @param locations finds the locations of clients
 */
public record PolicyEnvironment(
        int eventLoops,
        RandomGenerator random,
        LongSupplier nanoTime,
        LongSupplier millis,
        SlowWork work,
        SlowWork tokenWork,
        PolicyEvents events,
        FileChanges files,
        PolicyLocations locations) {

    /** Returns a hash with a random key, so that clients cannot choose values with the same hash. */
    public SipHash24 randomHash() {
        return new SipHash24(random.nextLong(), random.nextLong());
    }
}
