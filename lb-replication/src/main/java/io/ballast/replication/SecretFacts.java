package io.ballast.replication;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.cluster.secret.SecretKind;
import io.ballast.cluster.secret.SecretSet;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared secrets as facts, encrypted with the key of the cluster. The key of a fact is {@code secret/KIND}. The leader
 * generates a missing secret, and adds a new secret when the newest one has reached its maximum age. If the leader does
 * not do so, for example because it lacks the key, another node does. If several nodes propose a secret at the same
 * moment, the first proposal is committed.
 *
 * <p>Thread safety: the methods of {@link FactFamily} may be called by any thread. The state is confined to the control
 * plane.
 */
final class SecretFacts implements FactFamily, AutoCloseable {

    static final String PREFIX = "secret/";

    private static final Logger LOG = LoggerFactory.getLogger(SecretFacts.class);
    private static final FactBound BOUND = new FactBound(/* facts= */ 32, /* bytes= */ 128 << 10);
    private static final Duration CHECK = Duration.ofSeconds(1);

    /** The number of checks after which a node other than the leader generates a due secret. */
    private static final int PATIENCE = 15;

    private final SecureRandom random = new SecureRandom();
    private final Background writer = Background.of("cluster-secrets", /* max= */ 1);
    private final Map<SecretKind, Known> known = new EnumMap<>(SecretKind.class);
    private final Map<SecretKind, Integer> checksSinceDue = new EnumMap<>(SecretKind.class);
    private final Set<SecretKind> unreadable = EnumSet.noneOf(SecretKind.class);
    private final Set<SecretKind> proposed = EnumSet.noneOf(SecretKind.class);
    private final ControlPlane control;
    private final SecretCipher cipher;
    private final SecretStateFile file;
    private final Consumer<SharedSecrets> target;
    private @Nullable FactStore facts;
    private SharedSecrets published = SharedSecrets.NONE;
    private boolean isReady;
    private volatile boolean isClosed;

    private record Known(SecretSet set, long version) {}

    /**
     * @param file stores the last secrets for the next process
     * @param target receives all secrets after each change, on a thread that may block
     */
    SecretFacts(ControlPlane control, SecretCipher cipher, SecretStateFile file, Consumer<SharedSecrets> target) {
        this.control = control;
        this.cipher = cipher;
        this.file = file;
        this.target = target;
    }

    private static String key(SecretKind kind) {
        return PREFIX + kind.label();
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
        Optional<SecretKind> kind = SecretKind.of(key.substring(PREFIX.length()));
        kind.ifPresent(present -> control.execute(() -> receive(present, fact)));
    }

    private void receive(SecretKind kind, Optional<Fact> fact) {
        Optional<SecretSet> set = fact.flatMap(present -> SecretText.decrypt(cipher, kind, present.value()));
        if (set.isPresent()) {
            unreadable.remove(kind);
            known.put(kind, new Known(set.get(), fact.orElseThrow().version()));
        } else {
            known.remove(kind);
            reportUnreadable(kind, fact.isPresent());
        }
        publish();
    }

    private void reportUnreadable(SecretKind kind, boolean isUnreadable) {
        if (!isUnreadable) {
            unreadable.remove(kind);
        } else if (unreadable.add(kind)) {
            LOG.error(
                    "cluster=secret_unreadable secret={} reason=\"it is encrypted with another key than cluster.secret_key\""
                            + " effect=\"this node uses its own secret\"",
                    kind.label());
        }
    }

    @Override
    public void ready(boolean isNew) {
        control.execute(() -> {
            isReady = true;
            publish();
            check();
        });
    }

    private void check() {
        if (isClosed) {
            return;
        }
        Instant now = control.clock().instant();
        for (SecretKind kind : SecretKind.values()) {
            Known present = known.get(kind);
            boolean isDue = present == null || present.set().age(now).compareTo(kind.life()) >= 0;
            int checks = isDue ? checksSinceDue.merge(kind, 1, Integer::sum) : 0;
            if (!isDue) {
                checksSinceDue.remove(kind);
            } else if (!unreadable.contains(kind)) {
                propose(kind, present, checks, now);
            }
        }
        publish();
        control.schedule(this::check, CHECK);
    }

    private void propose(SecretKind kind, @Nullable Known present, int checks, Instant now) {
        FactStore store = facts;
        if (store == null || !store.hasLeader() || !(store.isLeader() || checks > PATIENCE) || !proposed.add(kind)) {
            return;
        }
        SecretSet next = present == null
                ? SecretSet.first(kind, random, now)
                : present.set().next(kind, random, now);
        CompletableFuture<?> unused = store.propose(
                        key(kind),
                        Optional.of(SecretText.encrypt(cipher, kind, next)),
                        present == null ? Fact.ABSENT : present.version())
                .thenAccept(result -> control.execute(() -> proposed.remove(kind)));
    }

    /** Publishes the secrets if they have changed, or if another secret is in use now. */
    private void publish() {
        if (!isReady || known.isEmpty()) {
            return;
        }
        Instant now = control.clock().instant();
        Map<SecretKind, SecretSet> sets = new EnumMap<>(SecretKind.class);
        Map<SecretKind, List<String>> inUse = new EnumMap<>(SecretKind.class);
        known.forEach((kind, each) -> {
            sets.put(kind, each.set());
            inUse.put(kind, each.set().inUse(now));
        });
        SharedSecrets next = published.with(new SharedSecrets(inUse));
        if (!next.equals(published)) {
            published = next;
            writer.execute(() -> {
                file.write(sets);
                target.accept(next);
            });
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
        writer.close();
    }
}
