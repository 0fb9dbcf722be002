package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The parts of the stream's messages other than backends: overall totals, policies, DNS, certificates, the
 * cluster, agents, pools and listeners. Each part is encoded once a second. A message contains a part only if its text changed since the
 * version that the page has.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class StreamParts {

    private final Part overall = new Part();
    private final Part policies = new Part();
    private final Part dns = new Part();
    private final Part certificates = new Part();
    private final Part cluster = new Part();
    private final Part agents = new Part();
    private final List<Part> pools = new ArrayList<>();
    private final List<Part> listeners = new ArrayList<>();

    /** Encodes every part. A part whose text changed is marked with the version of {@code live}. */
    public void refresh(LiveStats live, StreamJson.Header header) {
        long version = live.version();
        overall.refresh(version, json -> StreamJson.overall(json, live));
        policies.refresh(version, json -> PolicyJson.live(json, live.frontends().policies()));
        dns.refresh(version, json -> FrontendJson.liveDns(json, live.frontends()));
        certificates.refresh(version, json -> FrontendJson.certificates(json, live.frontends(), header));
        cluster.refresh(version, json -> ClusterJson.summary(json, header.cluster()));
        agents.refresh(version, json -> AgentJson.summary(json, header.agents()));
        refresh(pools, version, live.pools(), StreamParts::pool);
        refresh(listeners, version, live.frontends().listeners(), FrontendJson::liveListener);
    }

    /** Writes the parts that changed after {@code since}: pools and listeners as {@code [index, {…}]}. */
    void write(JsonWriter json, long since) {
        overall.write(json, "overall", since);
        policies.write(json, "policies", since);
        dns.write(json, "dns", since);
        certificates.write(json, "certificates", since);
        cluster.write(json, "cluster", since);
        agents.write(json, "agents", since);
        write(json, "pools", pools, since);
        write(json, "listeners", listeners, since);
    }

    private static void pool(JsonWriter json, PoolSeries pool) {
        json.object(() -> {
            json.field("healthy_count", pool.healthy());
            json.field("usable_count", pool.usable());
            json.field("panic", pool.pool().snapshot().isPanic());
            OverrideJson.maintenanceField(json, pool.pool().maintenance());
            GroupJson.live(json, pool.attempts());
            GroupJson.requests(json, pool.requests());
            json.object("queue", () -> PoolJson.queueLengths(json, pool.pool()));
        });
    }

    private static <T> void refresh(List<Part> parts, long version, List<T> sources, PartWriter<T> writer) {
        while (parts.size() > sources.size()) {
            parts.remove(parts.size() - 1);
        }
        for (int i = 0; i < sources.size(); i++) {
            if (i == parts.size()) {
                parts.add(new Part());
            }
            T source = sources.get(i);
            parts.get(i).refresh(version, json -> writer.write(json, source));
        }
    }

    private static void write(JsonWriter json, String name, List<Part> parts, long since) {
        json.array(name, () -> {
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                if (part.changedAt > since) {
                    long index = i;
                    json.array(() -> {
                        json.value(index);
                        json.raw(part.text);
                    });
                }
            }
        });
    }

    @FunctionalInterface
    private interface PartWriter<T> {
        void write(JsonWriter json, T source);
    }

    private static final class Part {
        private String text = "";
        private long changedAt;

        void refresh(long version, Consumer<JsonWriter> value) {
            ByteBuf encoded = JsonWriter.write(value);
            String next = encoded.toString(StandardCharsets.UTF_8);
            encoded.release();
            if (!next.equals(text)) {
                text = next;
                changedAt = version;
            }
        }

        void write(JsonWriter json, String name, long since) {
            if (changedAt > since) {
                json.name(name);
                json.raw(text);
            }
        }
    }
}
