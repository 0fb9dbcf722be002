package io.ballast.replication.configuration;

import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedVersion;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dashboard.source.SharedConfiguration.NodeState;
import io.ballast.dashboard.source.SharedConfiguration.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets this node check the proposed version, and use the active version. If it cannot use the active version, it tries
 * again every {@value #RETRY_SECONDS} s. Any thread may call the methods; one thread does the work.
 */
final class Follower implements AutoCloseable {

    static final int RETRY_SECONDS = 60;

    /**
     * The time for which a version with a smaller number than the version in use must be active before this node uses
     * it.
     */
    private static final int SMALLER_SECONDS = 30;

    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final String SUBJECT = "configuration";

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "cluster-configuration");
        created.setDaemon(true);
        return created;
    });
    private final String self;
    private final boolean isLocal;
    private final ConfigurationFacts facts;
    private final ConfigurationRows rows;
    private final ControlPlane control;
    private final LongAdder failures = new LongAdder();
    private @Nullable ConfigurationTarget target;
    private String checkedToken = "";
    private Optional<SharedVersion> failed = Optional.empty();
    private String failure = "";
    private Optional<SharedVersion> smaller = Optional.empty();
    private long smallerSince;

    Follower(String self, boolean isLocal, ConfigurationFacts facts, ConfigurationRows rows, ControlPlane control) {
        this.self = self;
        this.isLocal = isLocal;
        this.facts = facts;
        this.rows = rows;
        this.control = control;
    }

    /** Begins to check and use versions. Called when the process can reload. */
    void open(ConfigurationTarget process) {
        execute(() -> {
            target = process;
            follow();
        });
        thread.scheduleWithFixedDelay(() -> run(this::retry), RETRY_SECONDS, RETRY_SECONDS, TimeUnit.SECONDS);
    }

    /** Called when the active fact has changed. */
    void changed() {
        execute(this::follow);
    }

    /** The first words of the reason why a version is not in use. */
    static String failurePrefix(long version) {
        return "version " + version + " not applied: ";
    }

    long failures() {
        return failures.sum();
    }

    private void retry() {
        failed = Optional.empty();
        follow();
    }

    private void follow() {
        ConfigurationTarget process = target;
        if (process == null) {
            return;
        }
        ActiveFact fact = facts.active().fact();
        if (!isLocal && fact.active() > 0) {
            facts.version(fact.active()).ifPresent(active -> use(active, process));
        }
        publish(process);
        Optional<ActiveFact.Claim> checking = fact.claim().filter(claim -> claim.step() == ActiveFact.Step.CHECKING);
        if (checking.isEmpty()) {
            rows.withdrawVerdict(self);
        } else if (!checking.get().token().equals(checkedToken)) {
            checkedToken = checking.get().token();
            rows.publish(checkedToken, check(checking.get(), process));
        }
    }

    private Verdict check(ActiveFact.Claim claim, ConfigurationTarget process) {
        if (isLocal) {
            return new Verdict(self, /* isAccepted= */ true, /* isLocal= */ true, List.of());
        }
        List<String> errors;
        try {
            VersionFact version = facts.version(claim.number())
                    .orElseThrow(() -> new IllegalArgumentException("the fact of the version is missing"));
            errors = process.check(version.version(), facts.content(version));
        } catch (RuntimeException e) {
            LOG.warn("cluster=configuration_check_failed version={}", claim.number(), e);
            errors = List.of("the version cannot be checked: " + ErrorText.of(e));
        }
        LOG.info(
                "cluster=configuration_checked version={} by=\"{}\" accepted={} errors={}",
                claim.number(),
                claim.author(),
                errors.isEmpty(),
                errors.size());
        return new Verdict(self, errors.isEmpty(), /* isLocal= */ false, errors);
    }

    private void use(VersionFact active, ConfigurationTarget process) {
        SharedVersion version = active.version();
        if (process.inUse().equals(Optional.of(version))) {
            failed = Optional.empty();
            failure = "";
            return;
        }
        if (failed.equals(Optional.of(version)) || !isDue(version, process.inUse())) {
            return; // the next attempt is scheduled
        }
        Optional<String> reason;
        try {
            ConfigurationBundle content = facts.content(active);
            reason = process.use(version, content);
        } catch (RuntimeException e) {
            LOG.warn("cluster=configuration_failed version={}", version.number(), e);
            reason = Optional.of(ErrorText.of(e));
        }
        String text = reason.map(why -> failurePrefix(version.number()) + why).orElse("");
        boolean isNew = !text.equals(failure);
        failure = text;
        if (reason.isPresent()) {
            failures.increment();
            failed = Optional.of(version);
            LOG.error(
                    "cluster=configuration_not_applied version={} reason=\"{}\" effect=\"the version in use stays\""
                            + " retry_seconds={}",
                    version.number(),
                    reason.get(),
                    RETRY_SECONDS);
            if (isNew) {
                record(text);
            }
            return;
        }
        failed = Optional.empty();
        LOG.info("cluster=configuration_applied version={} sha256={}", version.number(), version.sha256());
        record("version " + version.number() + " by " + active.author() + " is in use"
                + (active.note().isEmpty() ? "" : ": " + active.note()));
    }

    /**
     * Whether a version may be used now. Numbers of versions increase. A number that is smaller than that of the
     * version in use has one of two reasons: this node has just started and has not read the whole log, or the cluster
     * has a new log. In the second case, the number stays active, so the node uses it after {@value #SMALLER_SECONDS}
     * s.
     */
    private boolean isDue(SharedVersion version, Optional<SharedVersion> inUse) {
        if (inUse.isEmpty() || version.number() > inUse.get().number()) {
            smaller = Optional.empty();
            return true;
        }
        if (!smaller.equals(Optional.of(version))) {
            smaller = Optional.of(version);
            smallerSince = System.nanoTime();
            thread.schedule(() -> run(this::follow), SMALLER_SECONDS + 1, TimeUnit.SECONDS);
        }
        return facts.hasLeader() && System.nanoTime() - smallerSince > TimeUnit.SECONDS.toNanos(SMALLER_SECONDS);
    }

    private void publish(ConfigurationTarget process) {
        Optional<SharedVersion> inUse = isLocal ? Optional.empty() : process.inUse();
        rows.publish(new NodeState(
                self,
                isLocal,
                inUse.map(SharedVersion::number).orElse(0L),
                inUse.map(SharedVersion::sha256).orElse(""),
                failure));
    }

    /** Called when a version was rejected by this node or another node. */
    void rejected(VersionFact version) {
        record("version " + version.version().number() + " by " + version.author() + " rejected: " + version.reason());
    }

    private void record(String text) {
        control.execute(() -> control.timeline().add(Origin.CLUSTER, SUBJECT, text));
    }

    private void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("the follower is closed");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("cluster=configuration_failed", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
