package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.SharedConfiguration;
import io.netty.buffer.ByteBuf;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the versions of the configuration of a cluster. */
public final class SharedConfigurationJson {

    private SharedConfigurationJson() {}

    public static ByteBuf history(
            List<SharedConfiguration.Version> versions, List<SharedConfiguration.NodeState> nodes) {
        return JsonWriter.write(json -> json.object(() -> {
            versions.stream()
                    .filter(version -> version.state() == SharedConfiguration.State.ACTIVE)
                    .forEach(version -> json.field("active", version.number()));
            json.array("versions", () -> versions.forEach(version -> json.object(() -> version(json, version))));
            nodes(json, nodes);
        }));
    }

    public static ByteBuf result(SharedConfiguration.Result result) {
        return JsonWriter.write(json -> json.object(() -> {
            json.object("version", () -> version(json, result.version()));
            json.array(
                    "verdicts",
                    () -> result.verdicts()
                            .forEach(verdict -> json.object(() -> {
                                json.field("node", verdict.node());
                                json.field("accepted", verdict.isAccepted());
                                json.field("local", verdict.isLocal());
                                json.array("errors", () -> verdict.errors().forEach(json::value));
                            })));
            nodes(json, result.nodes());
        }));
    }

    /** Writes the files of a version; their contents are Base64. */
    public static ByteBuf files(long number, Map<String, byte[]> files) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("number", number);
            json.array(
                    "files",
                    () -> files.forEach((path, content) -> json.object(() -> {
                        json.field("path", path);
                        json.field("content", Base64.getEncoder().encodeToString(content));
                    })));
        }));
    }

    private static void nodes(JsonWriter json, List<SharedConfiguration.NodeState> nodes) {
        json.array("nodes", () -> nodes.forEach(node -> json.object(() -> node(json, node))));
    }

    static void node(JsonWriter json, SharedConfiguration.NodeState node) {
        json.field("node", node.node());
        json.field("mode", node.isLocal() ? "local" : "shared");
        json.field("version", node.version());
        if (!node.sha256().isEmpty()) {
            json.field("sha256", node.sha256());
        }
        if (!node.failure().isEmpty()) {
            json.field("failure", node.failure());
        }
    }

    private static void version(JsonWriter json, SharedConfiguration.Version version) {
        json.field("number", version.number());
        json.field("state", version.state().name().toLowerCase(Locale.ROOT));
        json.field("sha256", version.sha256());
        json.field("author", version.author());
        json.field("node", version.node());
        json.field("time", version.time().truncatedTo(ChronoUnit.SECONDS).toString());
        json.field("note", version.note());
        json.field("files", version.files());
        json.field("bytes", version.bytes());
        if (version.rollbackOf() > 0) {
            json.field("rollback_of", version.rollbackOf());
        }
        if (!version.reason().isEmpty()) {
            json.field("reason", version.reason());
        }
    }
}
