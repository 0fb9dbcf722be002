package io.ballast.replication.key;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.KeyBundle;
import io.ballast.dns.dnssec.key.KeyProposal;
import io.ballast.dns.dnssec.key.KeyProposals;
import io.ballast.dns.dnssec.key.SharedKeyFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of signed zones as facts, with the times of their phases, encrypted with the key of the cluster. The key of
 * a fact is {@code dnssec/ZONE/keys}; its value has all keys of the zone, so that a step of a rollover changes them
 * together.
 *
 * <p>The key files of a node are copies: nothing is generated or changed before the cluster has committed it, and the
 * files of the last commit stay in use without a connection. All nodes use the keys that are committed first: a node
 * with key files proposes them at once, the leader generates a key after some seconds, and another node after some more
 * seconds, for example if the leader does not serve the zone.
 *
 * <p>Bounds: {@value #MAX_ZONES} zones. A check of the files of all zones uses at most {@link #MAX_CHECK_DURATION};
 * with very many zones, the next check continues with the remaining zones.
 *
 * <p>Thread safety: any thread may call any method. The state is confined to one background thread.
 */
public final class DnssecFacts implements FactFamily, AutoCloseable {

    static final String PREFIX = "dnssec/";
    private static final String SUFFIX = "/keys";

    private static final Logger LOG = LoggerFactory.getLogger(DnssecFacts.class);
    static final int MAX_ZONES = 10_000;
    private static final FactBound BOUND = new FactBound(MAX_ZONES, /* bytes= */ 24 << 20);
    private static final Duration CHECK = Duration.ofSeconds(1);
    private static final Duration MAX_CHECK_DURATION = Duration.ofMillis(200);

    /** The number of checks after which the leader generates the first key of a zone. */
    private static final int LEADER_PATIENCE = 3;

    /** The number of checks after which a node other than the leader generates the first key. */
    private static final int PATIENCE = 15;

    private final Background thread = Background.of("cluster-keys", /* max= */ 1);
    private final Map<String, Known> known = new HashMap<>();
    private final Map<String, Integer> checksWithoutKeys = new HashMap<>();
    private final Set<String> unreadable = new HashSet<>();
    private final Set<String> proposed = new HashSet<>();
    /** The answers to commands whose changes are committed, but have not arrived at this node. */
    private final Map<String, Runnable> answers = new HashMap<>();

    private final ControlPlane control;
    private final SecretCipher cipher;
    private final Supplier<BallastConfig> running;
    private final ZoneKeyCopies copies;
    private volatile @Nullable FactStore facts;
    private boolean isReady;
    private int nextZone;
    private volatile boolean isClosed;

    private record Known(KeyBundle keys, long version) {}

    /**
     * @param running returns the active configuration
     * @param dataDir the directory in which zones have their keys
     */
    public DnssecFacts(ControlPlane control, SecretCipher cipher, Supplier<BallastConfig> running, Path dataDir) {
        this.control = control;
        this.cipher = cipher;
        this.running = running;
        this.copies = new ZoneKeyCopies(control, dataDir);
    }

    private static String key(String zone) {
        return PREFIX + zone + SUFFIX;
    }

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public FactBound bound() {
        return BOUND;
    }

    @Override
    public void connect(FactStore store) {
        facts = store;
    }

    @Override
    public void committed(String key, Optional<Fact> fact) {
        if (key.length() > PREFIX.length() + SUFFIX.length() && key.endsWith(SUFFIX)) {
            String zone = key.substring(PREFIX.length(), key.length() - SUFFIX.length());
            thread.execute(() -> receive(zone, fact));
        }
    }

    private void receive(String zone, Optional<Fact> fact) {
        replace(zone, fact);
        Runnable answer = answers.remove(zone);
        if (answer != null) {
            answer.run();
        }
    }

    private void replace(String zone, Optional<Fact> fact) {
        Optional<KeyBundle> keys = fact.flatMap(present -> decrypt(present.key(), present.value()));
        if (keys.isPresent()) {
            unreadable.remove(zone);
            known.put(zone, new Known(keys.get(), fact.orElseThrow().version()));
            if (SignedZoneNames.of(running.get()).containsKey(zone)) {
                boolean unused = copies.install(zone, keys.get());
            }
        } else {
            known.remove(zone);
            reportUnreadable(zone, fact.isPresent());
        }
    }

    /** Returns the keys; empty if they were encrypted with another key, or by another version in an unknown form. */
    private Optional<KeyBundle> decrypt(String name, String text) {
        try {
            return cipher.decrypt(name, text).map(KeyBundle::parse);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void reportUnreadable(String zone, boolean isUnreadable) {
        if (!isUnreadable) {
            unreadable.remove(zone);
        } else if (unreadable.add(zone)) {
            LOG.error(
                    "cluster=keys_unreadable zone={} reason=\"they are encrypted with another key than"
                            + " cluster.secret_key\" effect=\"this node continues to use its last keys\"",
                    zone);
        }
    }

    @Override
    public void ready(boolean isNew) {
        thread.execute(() -> {
            isReady = true;
            check();
        });
    }

    private void check() {
        if (isClosed) {
            return;
        }
        Map<String, DnssecConfig> signed = SignedZoneNames.of(running.get());
        List<Map.Entry<String, DnssecConfig>> zones = List.copyOf(signed.entrySet());
        checksWithoutKeys.keySet().retainAll(signed.keySet());
        long end = System.nanoTime() + MAX_CHECK_DURATION.toNanos();
        for (int left = zones.size(); left > 0 && System.nanoTime() - end < 0; left--) {
            nextZone = (nextZone + 1) % zones.size();
            Map.Entry<String, DnssecConfig> zone = zones.get(nextZone);
            check(zone.getKey(), KeyAlgorithm.of(zone.getValue().algorithm()));
        }
        control.schedule(() -> thread.execute(this::check), CHECK);
    }

    private void check(String zone, KeyAlgorithm algorithm) {
        Known present = known.get(zone);
        if (present != null) {
            checksWithoutKeys.remove(zone);
            boolean unused = copies.install(zone, present.keys());
        } else if (!unreadable.contains(zone)) {
            proposeFirst(zone, algorithm);
        }
        takeProposal(zone, present);
    }

    /** Proposes keys for a zone for which the cluster has none, as far as this node knows. */
    private void proposeFirst(String zone, KeyAlgorithm algorithm) {
        FactStore store = facts;
        if (!isReady || store == null || !store.hasLeader() || proposed.contains(zone)) {
            return;
        }
        Optional<KeyBundle> own = copies.read(zone);
        if (own.isEmpty()) {
            return;
        }
        KeyBundle keys = own.get();
        if (keys.isEmpty()) {
            int checks = checksWithoutKeys.merge(zone, 1, Integer::sum);
            if (checks < (store.isLeader() ? LEADER_PATIENCE : PATIENCE)) {
                return;
            }
            keys = new SharedKeyFiles(copies.directory(zone))
                    .generate(algorithm, control.clock().instant());
        }
        propose(zone, keys, Fact.ABSENT, result -> {
            if (result == ProposalResult.FULL) {
                copies.report(
                        zone,
                        "the cluster already has the keys of " + MAX_ZONES + " zones, or its byte bound is reached");
            }
        });
    }

    private void propose(String zone, KeyBundle keys, long base, Consumer<ProposalResult> then) {
        FactStore store = facts;
        if (store == null) {
            return;
        }
        proposed.add(zone);
        CompletableFuture<?> unused = store.propose(
                        key(zone), Optional.of(cipher.encrypt(key(zone), keys.text())), base)
                .thenAccept(result -> thread.execute(() -> {
                    proposed.remove(zone);
                    then.accept(result);
                }));
    }

    /** Submits the change that a command on this node proposes. */
    private void takeProposal(String zone, @Nullable Known present) {
        KeyProposals proposals = new KeyProposals(copies.directory(zone));
        try {
            Optional<KeyProposal> taken = proposals.take(control.clock().instant());
            if (taken.isPresent()) {
                submit(zone, taken.get(), present, proposals);
            }
        } catch (IOException e) {
            copies.report(zone, ErrorText.of(e));
        }
    }

    private void submit(String zone, KeyProposal proposal, @Nullable Known present, KeyProposals proposals)
            throws IOException {
        FactStore store = facts;
        if (store == null || !store.hasLeader()) {
            proposals.answer(
                    proposal,
                    "this node has no connection to a majority of the voters of its cluster; the keys have not changed"
                            + " (run this command on a node that is connected, see 'lb cluster status')");
        } else if (present == null || !present.keys().hash().equals(proposal.base())) {
            proposals.answer(
                    proposal,
                    "the keys of the cluster have changed meanwhile; nothing was changed (run this command again)");
        } else {
            propose(zone, proposal.keys(), present.version(), result -> {
                Known now = known.get(zone);
                if (result == ProposalResult.COMMITTED && present.equals(now)) {
                    answers.put(zone, () -> answer(zone, proposal, result, proposals));
                } else {
                    answer(zone, proposal, result, proposals);
                }
            });
        }
    }

    private void answer(String zone, KeyProposal proposal, ProposalResult result, KeyProposals proposals) {
        String outcome =
                switch (result) {
                    case COMMITTED -> KeyProposals.COMMITTED;
                    case OVERTAKEN ->
                        "another node has changed the keys at the same time; this change was not made (run this command"
                                + " again)";
                    case FULL -> "the cluster cannot store more keys; they have not changed";
                    case UNKNOWN ->
                        "the cluster did not answer in time; it may accept the change later (check 'lb dnssec status')";
                };
        try {
            proposals.answer(proposal, outcome);
        } catch (IOException e) {
            copies.report(zone, ErrorText.of(e));
        }
    }

    /** Does nothing, because proposals are never pending. */
    @Override
    public void restored(PendingChange change) {}

    /** Does nothing, because proposals are never rejected. */
    @Override
    public void rejected(PendingChange change, String reason) {}

    @Override
    public void close() {
        isClosed = true;
        thread.close();
    }
}
