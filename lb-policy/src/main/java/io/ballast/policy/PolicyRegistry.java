package io.ballast.policy;

import io.ballast.core.control.PreparedChange;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.SlowWork;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;

/** The active policies of the process. Thread safety: the policies may be read by any thread. */
public final class PolicyRegistry implements AutoCloseable {

    /** Password hashing takes a whole core, so this is also the number of cores that it may take. */
    private static final int WORK_THREADS = 2;

    private final SlowWork work = new SlowWork(WORK_THREADS);
    private volatile Policies active;

    /** Creates a registry without policies. */
    public PolicyRegistry(int eventLoops) {
        this.active = Policies.none(new PolicyEnvironment(
                eventLoops, new SecureRandom(), System::nanoTime, System::currentTimeMillis, work));
    }

    /** Creates a registry with the given policies. */
    public static PolicyRegistry start(int eventLoops, Collection<PolicyConfig> first) {
        PolicyRegistry registry = new PolicyRegistry(eventLoops);
        registry.prepare(first).commit();
        return registry;
    }

    /** The active policies. */
    public Policies active() {
        return active;
    }

    /** Prepares the policies of the next configuration, which become active with the commit. */
    public Change prepare(Collection<PolicyConfig> next) {
        return new Change(active.next(next));
    }

    /** Stops all work of policies. */
    @Override
    public void close() {
        active.closeUnlessIn(active.next(List.of()));
        work.close();
    }

    /** A prepared change. */
    public final class Change implements PreparedChange {

        private final Policies next;

        private Change(Policies next) {
            this.next = next;
        }

        /** The policies of the next configuration. */
        public Policies policies() {
            return next;
        }

        @Override
        public void commit() {
            Policies before = active;
            active = next;
            before.closeUnlessIn(next);
        }

        /** Discards the policies that only the next configuration uses. Does nothing after the commit. */
        @Override
        public void close() {
            next.closeUnlessIn(active);
        }
    }
}
