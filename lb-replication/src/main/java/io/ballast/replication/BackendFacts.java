package io.ballast.replication;

import io.ballast.cluster.fact.FactBound;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.discovery.SharedEdits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the edits of backends that operators make at run time equal on all nodes. The key of a fact is {@code
 * backend/POOL/ADDRESS}. An edit applies on nodes that have the pool, and whose configuration file has the same entry
 * of the backend as the file of the node that made the edit. Otherwise, the fact is kept, and applies as soon as the
 * file has the same entry.
 */
final class BackendFacts extends SyncedFamily<String> implements SharedEdits.Listener {

    static final String PREFIX = "backend/";

    private static final FactBound BOUND = new FactBound(/* facts= */ 10_000, /* bytes= */ 16 << 20);

    private @Nullable SharedEdits edits;

    BackendFacts(ControlPlane control) {
        super(PREFIX, BOUND, control);
    }

    /** Sets the edits that are kept equal on all nodes. Called once, before {@link #connect}. */
    void setEdits(SharedEdits local) {
        edits = local;
    }

    @Override
    Optional<String> decode(String key, String text) {
        return SharedEdits.key(text)
                .filter(subject -> key.equals(PREFIX + subject))
                .map(subject -> text);
    }

    @Override
    String encode(String value) {
        return value;
    }

    @Override
    String subject(String key) {
        return key.substring(PREFIX.length());
    }

    @Override
    Origin origin() {
        return Origin.OPERATOR;
    }

    @Override
    void publish() {
        if (edits != null) {
            edits.all().forEach((subject, text) -> change(PREFIX + subject, text));
        }
    }

    @Override
    void adoptAll() {
        if (isReady() && edits != null) {
            reportFailure("ballast", edits.replace(() -> List.copyOf(values().values())));
        }
    }

    @Override
    void adopt(@Nullable String before, @Nullable String after) {
        String known = after == null ? before : after;
        SharedEdits target = edits;
        if (target != null && known != null) {
            SharedEdits.key(known).ifPresent(subject -> adopt(target, subject, known));
        }
    }

    private void adopt(SharedEdits target, String subject, String text) {
        reportFailure(subject, target.update(text, () -> Optional.ofNullable(values().get(PREFIX + subject))));
    }

    private void reportFailure(String subject, CompletableFuture<String> fault) {
        CompletableFuture<Void> unused = fault.thenAccept(reason -> {
            if (!reason.isEmpty()) {
                control()
                        .timeline()
                        .add(
                                Origin.CLUSTER,
                                subject,
                                "a change of backends on another node cannot be applied: " + reason);
            }
        });
    }

    /**
     * Removes the facts of a pool or of one of its backends, including those that do not apply on this node.
     *
     * @param address absent for all backends of the pool
     * @return completes with whether there were any
     */
    CompletableFuture<Boolean> removeInactive(String pool, Optional<String> address) {
        String prefix = PREFIX + pool + "/";
        return control().call(() -> {
            List<String> removed = values().keySet().stream()
                    .filter(key ->
                            address.map(given -> key.equals(prefix + given)).orElse(key.startsWith(prefix)))
                    .toList();
            removed.forEach(key -> change(key, /* value= */ null));
            return CompletableFuture.completedFuture(!removed.isEmpty());
        });
    }

    @Override
    public void edited(String subject, Optional<String> text) {
        changeWhenReady(PREFIX + subject, text.orElse(null));
    }
}
