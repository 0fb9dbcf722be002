package io.ballast.agent.client;

import io.ballast.agent.config.RegisteredBackend;
import io.ballast.agent.load.LoadDrain;
import io.ballast.agent.load.LoadValues;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.dashboard.json.JsonWriter;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A backend of this agent, with its checks and its load. Confined to the thread of the control plane. */
final class LocalBackend {

    private static final int MAX_REASON = 200;
    private static final int FULL = 100;

    private final RegisteredBackend config;
    private final Backend backend;
    private final @Nullable LoadDrain drain;
    private int percent = FULL;

    /** @param backend the backend whose checks are reported */
    LocalBackend(RegisteredBackend config, Backend backend) {
        this.config = config;
        this.backend = backend;
        this.drain = config.drain().map(LoadDrain::new).orElse(null);
    }

    RegisteredBackend config() {
        return config;
    }

    /** Returns the address of the checks. */
    SocketAddress checkedAddress() {
        return config.health().at().of((InetSocketAddress) backend.socketAddress());
    }

    /** Adds a measurement of the load. */
    void update(LoadValues values, long nowNanos) {
        if (drain != null) {
            percent = drain.update(values, nowNanos);
        }
    }

    /**
     * Writes this backend as a part of a report.
     *
     * @param drains whether the backend should get no new clients
     */
    void write(JsonWriter json, boolean drains) {
        BackendState state = backend.health().state();
        boolean isUp = state == BackendState.UP;
        json.object(() -> {
            json.field("pool", config.pool());
            json.field("address", config.address().toString());
            json.field("state", drains ? "drain" : isUp ? "up" : "down");
            String reason = reason(isUp);
            if (!reason.isEmpty()) {
                json.field("reason", reason.substring(0, Math.min(reason.length(), MAX_REASON)));
            }
            json.field("weight", config.weight());
            json.field("weight_percent", percent);
        });
    }

    private String reason(boolean isUp) {
        if (!isUp) {
            return backend.health().reason();
        }
        return drain == null ? "" : drain.reason();
    }
}
