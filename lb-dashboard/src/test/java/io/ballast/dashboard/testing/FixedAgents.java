package io.ballast.dashboard.testing;

import io.ballast.dashboard.source.AgentDirectory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One agent with one backend, and one token. Commands are recorded and change nothing. */
public final class FixedAgents implements AgentDirectory {

    public static final Agent AGENT = new Agent(
            "app5",
            "approved",
            "rack1",
            List.of("web"),
            List.of("db"),
            "10.0.1.5",
            Instant.parse("2026-01-01T00:00:00Z"),
            Optional.of(Instant.parse("2026-01-01T00:00:05Z")),
            /* isStale= */ false,
            List.of(new Backend("web", "10.0.1.5:8080", "up", "cpu 95%", 1, 10, 100)),
            /* isCommitted= */ true);

    public static final Token TOKEN =
            new Token("rack1", List.of("web", "db"), Optional.empty(), "valid", 1, /* isCommitted= */ true);

    private final List<String> commands = new ArrayList<>();

    /** The recorded commands, such as {@code revoke app5 by ann}. */
    public synchronized List<String> commands() {
        return List.copyOf(commands);
    }

    private synchronized void record(String command) {
        commands.add(command);
    }

    @Override
    public CompletableFuture<List<Agent>> agents() {
        return CompletableFuture.completedFuture(List.of(AGENT));
    }

    @Override
    public CompletableFuture<List<Token>> tokens() {
        return CompletableFuture.completedFuture(List.of(TOKEN));
    }

    @Override
    public CompletableFuture<Optional<Agent>> approve(String id, String who) {
        record("approve " + id + " by " + who);
        return CompletableFuture.completedFuture(
                Optional.of(AGENT).filter(agent -> agent.id().equals(id)));
    }

    @Override
    public CompletableFuture<Optional<Agent>> revoke(String id, String who) {
        record("revoke " + id + " by " + who);
        return CompletableFuture.completedFuture(
                Optional.of(AGENT).filter(agent -> agent.id().equals(id)));
    }

    @Override
    public CompletableFuture<Optional<Token>> revokeToken(String name, String who) {
        record("revoke token " + name + " by " + who);
        return CompletableFuture.completedFuture(
                Optional.of(TOKEN).filter(token -> token.name().equals(name)));
    }

    @Override
    public CompletableFuture<Optional<Token>> createToken(
            String name, String hash, List<String> pools, Optional<Instant> expires, String who) {
        record("create token " + name + " for " + pools + " until " + expires + " by " + who);
        return CompletableFuture.completedFuture(Optional.of(TOKEN.uncommitted()));
    }

    @Override
    public Counts counts() {
        return new Counts(1, 2, 3, 4, 5, 6, 7, 8);
    }
}
