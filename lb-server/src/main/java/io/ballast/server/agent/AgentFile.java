package io.ballast.server.agent;

import io.ballast.agent.node.AgentStore;
import io.ballast.agent.registry.SavedAgents;
import io.ballast.agent.registry.SavedAgentsJson;
import io.ballast.core.ErrorText;
import io.ballast.core.control.Background;
import io.ballast.core.state.StateFile;
import io.ballast.server.host.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the agents of this node in a file. A separate thread writes the file. Thread-safe. */
final class AgentFile implements AgentStore, AutoCloseable {

    static final String NAME = "agents.json";

    private static final Logger LOG = LoggerFactory.getLogger(AgentFile.class);
    private static final int MAX_BYTES = 64 * 1024 * 1024;

    private final StateFile file;
    private final DataDirectory lock;
    private final Background writer = Background.of("agents-file", 1);
    /** Whether the last write failed, which is logged once. Confined to the writer's thread. */
    private boolean isFailing;

    /** @throws IOException if another process uses the file */
    AgentFile(Path directory) throws IOException {
        this.lock = DataDirectory.acquireAgents(directory);
        this.file = new StateFile(directory.resolve(NAME), MAX_BYTES);
    }

    @Override
    public SavedAgents read() {
        try {
            Optional<byte[]> bytes = file.read();
            return bytes.isEmpty() ? SavedAgents.EMPTY : SavedAgentsJson.read(bytes.get());
        } catch (IOException e) {
            LOG.warn(
                    "file={} msg=\"cannot read the registered agents, which have to register again; {}\" reason=\"{}\"",
                    file.path(),
                    file.moveAside(),
                    ErrorText.reason(e));
            return SavedAgents.EMPTY;
        }
    }

    @Override
    public CompletableFuture<Void> write(SavedAgents agents) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        writer.execute(() -> {
            try {
                file.replace(SavedAgentsJson.write(agents));
                isFailing = false;
                written.complete(null);
            } catch (IOException | RuntimeException e) {
                if (!isFailing) {
                    isFailing = true;
                    LOG.warn(
                            "file={} msg=\"cannot store the agents; registrations and revocations since then are lost at"
                                    + " a restart\" reason=\"{}\"",
                            file.path(),
                            e instanceof IOException failure ? ErrorText.reason(failure) : ErrorText.of(e));
                }
                written.completeExceptionally(e);
            }
        });
        return written;
    }

    @Override
    public void close() throws IOException {
        writer.close();
        lock.close();
    }
}
