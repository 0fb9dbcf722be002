package io.ballast.server.compose;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A balancer in this process and a server for it to forward to; both are closed after the test. */
final class ProcessFixture implements BeforeEachCallback, AfterEachCallback {

    private final NamedServers servers = new NamedServers();
    private String backend = "";
    private @Nullable StartedBalancer running;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        backend = "127.0.0.1:" + servers.add("one");
    }

    /** The address of the server, which answers with {@code one}. */
    String backend() {
        return backend;
    }

    /** Starts the balancer; see {@link StartedBalancer#start(Path, String)}. */
    StartedBalancer start(Path directory, String text) throws Exception {
        running = StartedBalancer.start(directory, text);
        return running();
    }

    /** The balancer that was started last. */
    StartedBalancer running() {
        return requireNonNull(running);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        servers.close();
        if (running != null) {
            running.close();
        }
    }
}
