package io.ballast.policy.work;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.trace.TraceSink;
import io.ballast.policy.share.LimitExchange;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The resources that policies use.
 *
 * @param eventLoops the number of event loops
 * @param random a secure source of keys
 * @param nanoTime the monotonic clock; see {@link System#nanoTime}
 * @param millis the time of day in milliseconds since 1970
 * @param work runs slow decisions, such as the verification of passwords
 * @param tokenWork verifies tokens, which passwords must not delay
 * @param files watches the files of policies
 * @param downloads downloads keys and other documents
 * @param shared objects that all policies share, and that stay the same across reloads
 * @param services other parts of the process
 */
public record PolicyEnvironment(
        int eventLoops,
        RandomGenerator random,
        LongSupplier nanoTime,
        LongSupplier millis,
        SlowWork work,
        SlowWork tokenWork,
        FileChanges files,
        SharedDownloads downloads,
        SharedObjects shared,
        PolicyServices services) {

    public PolicyEvents events() {
        return services.events();
    }

    public PolicyLocations locations() {
        return services.locations();
    }

    public TraceSink traces() {
        return services.traces();
    }

    public LimitExchange limits() {
        return services.limits();
    }

    /** Returns a hash with a random key, so that clients cannot choose values with the same hash. */
    public SipHash24 randomHash() {
        return new SipHash24(random.nextLong(), random.nextLong());
    }
}
