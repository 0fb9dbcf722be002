package io.ballast.agent.node;

import io.ballast.agent.registry.BackendKey;
import io.ballast.agent.registry.Hashes;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Requests of agents that wait for commands of operators. Each agent has at most one such request; a newer request ends
 * an older request. Confined to the event loop of the node.
 */
final class CommandPolls {

    private final Function<BackendKey, String> wanted;
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();

    /** @param wanted returns the state that operators have set for a backend: {@link NodeBackends#wanted} */
    CommandPolls(Function<BackendKey, String> wanted) {
        this.wanted = wanted;
    }

    private record Waiting(
            List<BackendKey> backends,
            String version,
            long deadlineNanos,
            CompletableFuture<AdminResponse.Complete> reply) {}

    /** The commands for the backends of an agent. The version changes with the content. */
    private record Commands(String version, Map<BackendKey, String> wanted) {

        AdminResponse.Complete reply() {
            return AdminResponse.json(JsonWriter.write(json -> json.object(() -> {
                json.field("version", version);
                json.array(
                        "backends",
                        () -> wanted.forEach((key, text) -> json.object(() -> {
                            json.field("pool", key.pool());
                            json.field("address", key.address().toString());
                            json.field("wanted", text);
                        })));
            })));
        }
    }

    /**
     * Answers a request: at once if the commands differ from the version that the agent knows, otherwise when they
     * change or the deadline has passed.
     *
     * @param known the version that the agent knows; empty if it knows none
     */
    AdminResponse poll(String agent, List<BackendKey> backends, String known, long deadlineNanos, long nowNanos) {
        end(agent);
        Commands now = commands(backends);
        if (!now.version().equals(known) || deadlineNanos <= nowNanos) {
            return now.reply();
        }
        CompletableFuture<AdminResponse.Complete> reply = new CompletableFuture<>();
        waiting.put(agent, new Waiting(backends, known, deadlineNanos, reply));
        return new AdminResponse.Async(reply);
    }

    /** Ends the waiting request of an agent, if there is one. */
    void end(String agent) {
        Waiting before = waiting.remove(agent);
        if (before != null) {
            before.reply().complete(commands(before.backends()).reply());
        }
    }

    /** Answers the requests whose commands have changed or whose deadline has passed. */
    void tick(long nowNanos) {
        waiting.entrySet().removeIf(each -> {
            Waiting poll = each.getValue();
            Commands now = commands(poll.backends());
            if (now.version().equals(poll.version()) && nowNanos < poll.deadlineNanos()) {
                return false;
            }
            poll.reply().complete(now.reply());
            return true;
        });
    }

    private Commands commands(List<BackendKey> backends) {
        Map<BackendKey, String> all = new LinkedHashMap<>();
        backends.forEach(key -> all.put(key, wanted.apply(key)));
        return new Commands(Hashes.version(all.toString().getBytes(StandardCharsets.UTF_8)), all);
    }
}
