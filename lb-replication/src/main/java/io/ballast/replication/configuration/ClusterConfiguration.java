package io.ballast.replication.configuration;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.cluster.observation.ObservationListener;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.RejectedChangeException;
import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.SharedConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The shared configuration as one node sees, proposes and uses it. Thread-safe. */
public final class ClusterConfiguration implements SharedConfiguration, AutoCloseable {

    /** The maximum time to wait after a decision until the nodes use the version. */
    private static final Duration MAX_APPLICATION = Duration.ofSeconds(20);

    /** Rejections that are older than this are not recorded again after a restart. */
    private static final Duration MAX_EVENT_AGE = Duration.ofMinutes(10);

    private static final int POLL_MILLIS = 250;

    private final ConfigurationFacts facts = new ConfigurationFacts();
    private final ConfigurationRows rows = new ConfigurationRows();
    private final Uploads uploads = new Uploads();
    private final Background thread = Background.of("cluster-apply", /* max= */ 1);
    private final AtomicBoolean isApplying = new AtomicBoolean();
    private final ControlPlane control;
    private final boolean isLocal;
    private @Nullable ConfigurationTarget earlyTarget;
    private volatile @Nullable Node node;

    /** The parts that need the name of this node. */
    private record Node(String self, Follower follower, Rollout rollout) {}

    public ClusterConfiguration(ClusterConfig config, ControlPlane control) {
        this.control = control;
        this.isLocal = !config.isShared();
        facts.listen(this::activeChanged, this::versionChanged);
    }

    /** Returns the family of facts about the shared configuration. */
    public FactFamily facts() {
        return facts;
    }

    /** Returns the listener for rows of other nodes. */
    public ObservationListener rows() {
        return rows;
    }

    /**
     * Connects this object with the cluster, before facts arrive.
     *
     * @param self the name of this node
     * @param board carries the rows of this node, and notifies {@link #rows}
     */
    public synchronized void start(String self, ObservationBoard board) {
        rows.connect(board);
        Follower follower = new Follower(self, isLocal, facts, rows, control);
        node = new Node(self, follower, new Rollout(self, facts, rows, control.clock()));
        if (earlyTarget != null) {
            follower.open(earlyTarget);
        }
    }

    /** Begins to check and use versions. Called once, when the process can reload. */
    public synchronized void open(ConfigurationTarget target) {
        Node present = node;
        if (present == null) {
            earlyTarget = target;
        } else {
            present.follower().open(target);
        }
    }

    private void activeChanged() {
        Node present = node;
        if (present != null) {
            present.follower().changed();
        }
    }

    private void versionChanged(Optional<VersionFact> before, Optional<VersionFact> after) {
        Node present = node;
        boolean isRejected = after.filter(version -> version.outcome() == VersionFact.Outcome.REJECTED)
                        .isPresent()
                && before.filter(version -> version.outcome() == VersionFact.Outcome.OPEN)
                        .isPresent();
        Instant oldest = control.clock().instant().minus(MAX_EVENT_AGE);
        if (present != null && isRejected && after.get().time().isAfter(oldest)) {
            present.follower().rejected(after.get());
        }
    }

    // ---- reading

    @Override
    public List<Version> versions() {
        ActiveFact active = facts.active().fact();
        return facts.versions().stream().map(version -> view(version, active)).toList();
    }

    private static Version view(VersionFact version, ActiveFact active) {
        long number = version.version().number();
        boolean isProposed =
                active.claim().filter(claim -> claim.number() == number).isPresent();
        boolean isAbandoned = !isProposed && version.outcome() == VersionFact.Outcome.OPEN && number != active.active();
        return new Version(
                number,
                version.version().sha256(),
                state(version, active, isProposed),
                version.author(),
                version.node(),
                version.time(),
                version.note(),
                version.files(),
                version.bytes(),
                version.rollbackOf(),
                isAbandoned ? "its node has stopped, or was not connected, before the decision" : version.reason());
    }

    private static State state(VersionFact version, ActiveFact active, boolean isProposed) {
        if (version.version().number() == active.active()) {
            return State.ACTIVE;
        }
        if (isProposed) {
            return State.CHECKING;
        }
        return version.outcome() == VersionFact.Outcome.ACCEPTED ? State.SUPERSEDED : State.REJECTED;
    }

    @Override
    public List<NodeState> nodes() {
        return rows.states();
    }

    @Override
    public Optional<SortedMap<String, byte[]>> files(long number) {
        return facts.version(number).map(facts::content).map(ConfigurationBundle::files);
    }

    /** The summary for the statistics of the cluster. */
    public ClusterStats.Configuration stats() {
        ActiveFact active = facts.active().fact();
        Node present = node;
        if (present == null) {
            return ClusterStats.Configuration.NONE;
        }
        String sha256 = facts.version(active.active())
                .map(version -> version.version().sha256())
                .orElse("");
        boolean isOutdated = !isLocal
                && active.active() > 0
                && rows.state(present.self())
                        .filter(own ->
                                own.version() == active.active() && own.sha256().equals(sha256))
                        .isEmpty();
        return new ClusterStats.Configuration(
                active.active(), rows.states(), isOutdated, present.follower().failures());
    }

    // ---- changes

    @Override
    public void upload(String upload, int offset, byte[] part) {
        uploads.add(upload, offset, part);
    }

    @Override
    public CompletableFuture<Result> apply(String upload, String author, String note, Duration wait) {
        byte[] compressed = uploads.take(upload);
        return start(() -> new Proposal(CompressedBundle.of(compressed), /* rollbackOf= */ 0, author, note, wait));
    }

    @Override
    public CompletableFuture<Result> rollback(Optional<Long> number, String author, String note, Duration wait) {
        return start(() -> {
            VersionFact earlier = number.map(this::require).orElseGet(this::previous);
            byte[] compressed = facts.compressed(earlier);
            return new Proposal(
                    CompressedBundle.of(compressed), earlier.version().number(), author, note, wait);
        });
    }

    private VersionFact require(long number) {
        return facts.version(number)
                .orElseThrow(() -> new IllegalArgumentException(
                        "version: " + number + " (expected: a version of lb cluster history)"));
    }

    /** The version that was active before the current active version. */
    private VersionFact previous() {
        long active = facts.active().fact().active();
        return facts.versions().stream()
                .filter(version ->
                        version.version().number() < active && version.outcome() == VersionFact.Outcome.ACCEPTED)
                .reduce((one, later) -> later)
                .orElseThrow(() -> new IllegalArgumentException(
                        "version: none (expected: the number of a version, because no version was active before)"));
    }

    private interface ProposalSource {
        Proposal get();
    }

    private CompletableFuture<Result> start(ProposalSource source) {
        Node present = node;
        if (present == null) {
            return CompletableFuture.failedFuture(
                    new UnavailableException("this process has not joined the cluster yet; try again in a moment"));
        }
        if (!isApplying.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            return CompletableFuture.failedFuture(
                    new RejectedChangeException("this node is applying another version; try again when it has ended"));
        }
        CompletableFuture<Result> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(run(present, source.get()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                result.completeExceptionally(new UnavailableException("the process is stopping"));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            } finally {
                isApplying.set(false);
            }
        });
        return result;
    }

    private Result run(Node present, Proposal proposal) throws InterruptedException {
        long inUse = rows.state(present.self()).map(NodeState::version).orElse(0L);
        Rollout.Decision decision = present.rollout().propose(proposal, inUse + 1);
        VersionFact version = decision.version();
        if (version.outcome() == VersionFact.Outcome.ACCEPTED) {
            awaitUse(version);
        }
        ActiveFact active = facts.active().fact();
        return new Result(view(version, active), decision.verdicts(), rows.states());
    }

    /** Waits until each node uses the version, or has failed to use it. */
    private void awaitUse(VersionFact version) throws InterruptedException {
        long number = version.version().number();
        long end = System.nanoTime() + MAX_APPLICATION.toNanos();
        while (System.nanoTime() - end < 0 && facts.active().fact().active() == number) {
            boolean isDone = rows.states().stream()
                    .allMatch(state -> state.isLocal()
                            || state.version() == number
                            || state.failure().startsWith(Follower.failurePrefix(number)));
            if (isDone) {
                return;
            }
            rows.awaitChange(POLL_MILLIS);
        }
    }

    @Override
    public void close() {
        thread.close();
        Node present = node;
        if (present != null) {
            present.follower().close();
        }
    }
}
