package io.ballast.policy;

import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.PreparedChange;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PoolPolicies;
import io.ballast.policy.work.FileChanges;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.PolicyServices;
import io.ballast.policy.work.SharedDownloads;
import io.ballast.policy.work.SharedObjects;
import io.ballast.policy.work.SlowWork;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The active policies of the process. Thread safety: the policies may be read by any thread. */
public final class PolicyRegistry implements AutoCloseable {

    /** The number of threads for slow work, and so the number of cores that password hashing can keep busy. */
    private static final int WORK_THREADS = 2;

    private final SlowWork work = new SlowWork(WORK_THREADS);
    private final SlowWork tokenWork = new SlowWork(/* threads= */ 1);
    private final FileChanges files = new FileChanges();
    private final SharedDownloads downloads = new SharedDownloads();
    private volatile Policies active;

    /** Creates a registry without policies. */
    public PolicyRegistry(int eventLoops, PolicyServices services) {
        this.active = Policies.none(new PolicyEnvironment(
                eventLoops,
                new SecureRandom(),
                System::nanoTime,
                System::currentTimeMillis,
                work,
                tokenWork,
                files,
                downloads,
                new SharedObjects(),
                services));
    }

    /** Creates a registry with the given policies, without pool policies and without services. */
    public static PolicyRegistry start(int eventLoops, Collection<PolicyConfig> first) {
        return start(eventLoops, PolicyServices.NONE, first, List.of());
    }

    /** Creates a registry with the given policies and the policies of the pools. */
    public static PolicyRegistry start(
            int eventLoops, PolicyServices services, Collection<PolicyConfig> first, Collection<PoolConfig> pools) {
        PolicyRegistry registry = new PolicyRegistry(eventLoops, services);
        registry.prepare(first, pools).commit();
        return registry;
    }

    /** The active policies. */
    public Policies active() {
        return active;
    }

    /**
     * Prepares the policies of the next configuration and of its pools. They become active when the change is
     * committed.
     */
    public Change prepare(Collection<PolicyConfig> next, Collection<PoolConfig> pools) {
        List<PolicyConfig> all = new ArrayList<>(next);
        all.addAll(PoolPolicies.of(pools));
        return new Change(active.next(all));
    }

    /** Stops the background work of all policies. */
    @Override
    public void close() {
        active.closeUnlessIn(active.next(List.of()));
        work.close();
        tokenWork.close();
        files.close();
        downloads.close();
    }

    /** The policies of the next configuration, which are prepared but not active yet. */
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
