package io.ballast.replication;

import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactStore;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.ActiveExternalOverrides;
import io.ballast.core.health.ExternalOverrides;
import io.ballast.dashboard.document.ExternalOverrideJson;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.dashboard.json.JsonWriter;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the overrides of external sources equal on all nodes. The key of a fact is {@code
 * external/POOL/ADDRESS/SOURCE}, and its value is the JSON object that the state file contains too.
 *
 * <p>Each node ends an override by its own clock. The leader removes the fact {@link #KEPT} later, so that a renewal that
 * was made on another node shortly before the end does not conflict with the removal.
 */
final class ExternalOverrideFacts extends SyncedFamily<ExternalOverride>
        implements ActiveExternalOverrides.ChangeListener {

    static final String PREFIX = "external/";

    private static final FactBound BOUND = new FactBound(ExternalOverrides.MAX_OVERRIDES, /* bytes= */ 16 << 20);
    private static final Duration KEPT = Duration.ofMinutes(1);

    private @Nullable ActiveExternalOverrides overrides;

    ExternalOverrideFacts(ControlPlane control) {
        super(PREFIX, BOUND, control);
    }

    /** Sets the overrides that are kept equal on all nodes. Called once, before {@link #connect}. */
    void setOverrides(ActiveExternalOverrides local) {
        overrides = local;
    }

    @Override
    public void connect(FactStore store) {
        super.connect(store);
        control().schedule(this::removeExpired, KEPT);
    }

    static String key(ExternalOverride.Key key) {
        return PREFIX + key.pool() + "/" + key.address() + "/" + key.source();
    }

    @Override
    Optional<ExternalOverride> decode(String key, String text) {
        try {
            ExternalOverride read = ExternalOverrideJson.read(JsonObject.read(text.getBytes(StandardCharsets.UTF_8)));
            return Optional.of(read).filter(each -> key(each.key()).equals(key));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty(); // another version of Ballast has written the fact
        }
    }

    @Override
    String encode(ExternalOverride value) {
        ByteBuf json = JsonWriter.write(writer -> ExternalOverrideJson.write(writer, value));
        try {
            return json.toString(StandardCharsets.UTF_8);
        } finally {
            json.release();
        }
    }

    @Override
    String subject(String key) {
        return key.substring(PREFIX.length(), key.lastIndexOf('/'));
    }

    @Override
    Origin origin() {
        return Origin.OVERRIDE;
    }

    /** Makes the overrides of this node equal to the facts. Also called when the backends have changed. */
    @Override
    void adoptAll() {
        if (isReady() && overrides != null) {
            overrides.adopt(values().values(), AUTHOR);
        }
    }

    @Override
    void adopt(@Nullable ExternalOverride before, @Nullable ExternalOverride after) {
        ExternalOverride changed = after == null ? before : after;
        if (overrides != null && changed != null) {
            overrides.adopt(changed.key(), Optional.ofNullable(after), AUTHOR);
        }
    }

    @Override
    void publish() {
        if (overrides != null) {
            overrides.all().forEach(each -> change(key(each.key()), each));
        }
    }

    @Override
    public void changed(ExternalOverride.Key key, Optional<ExternalOverride> override) {
        changeWhenReady(key(key), override.orElse(null));
    }

    private void removeExpired() {
        FactStore store = facts();
        if (store != null && store.isLeader()) {
            Instant before = control().clock().instant().minus(KEPT);
            values().forEach((key, override) -> {
                if (override.expires().isBefore(before)) {
                    CompletableFuture<?> unused = store.propose(key, /* value= */ Optional.empty(), version(key));
                }
            });
        }
        control().schedule(this::removeExpired, KEPT);
    }
}
