package io.ballast.server.compose;

import io.ballast.core.ErrorText;
import io.ballast.dns.DnsFrontend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves the cache of the forwarder at the end of the process and restores it at the next start, if configured. Failures
 * are logged, and the cache starts empty.
 *
 * <p>Thread safety: confined to the thread that starts and ends the process.
 */
final class CacheSnapshotStore {

    private static final Logger LOG = LoggerFactory.getLogger(CacheSnapshotStore.class);
    private static final String NAME = "dns-cache";

    private final Executor reader;
    private boolean ownsDirectory;

    /** @param reader executor on which a file is read while queries are answered */
    public CacheSnapshotStore(Executor reader) {
        this.reader = reader;
    }

    /** Restores the cache. Called after this process has taken over the directory. */
    public void restore(DnsFrontend frontend, Path directory) {
        ownsDirectory = true;
        reader.execute(() -> {
            try {
                int answers = frontend.forwarding().restore(directory.resolve(NAME));
                if (answers > 0) {
                    LOG.info("msg=\"restored the saved cache\" answers={}", answers);
                }
            } catch (IOException | RuntimeException e) {
                LOG.warn(
                        "msg=\"cannot use the saved cache; the cache starts empty\" reason=\"{}\"",
                        ErrorText.reason(e));
            }
        });
    }

    /**
     * Saves the cache when this process ends or leaves the directory to another process. Nothing is written there
     * afterwards.
     */
    public void save(DnsFrontend frontend, Path directory) {
        if (!ownsDirectory) {
            return;
        }
        ownsDirectory = false;
        try {
            Files.createDirectories(directory);
            int answers = frontend.forwarding().save(directory.resolve(NAME));
            if (answers > 0) {
                LOG.info("msg=\"saved the cache for the next process\" answers={}", answers);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("msg=\"cannot save the cache for the next process\" reason=\"{}\"", ErrorText.reason(e));
        }
    }
}
