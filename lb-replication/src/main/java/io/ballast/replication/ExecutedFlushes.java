package io.ballast.replication;

import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the flushes that this node has executed, so that it executes each flush once, even if a saved cache is
 * restored after a restart. Confined to one thread at a time.
 *
 * <p>Bound: the last {@value #MAX} flushes.
 */
final class ExecutedFlushes {

    static final int MAX = 2 * FlushFacts.KEPT;

    private static final Logger LOG = LoggerFactory.getLogger(ExecutedFlushes.class);
    private static final int MAX_BYTES = 1 << 20;

    private final StateFile file;
    private final Set<String> keys = new LinkedHashSet<>();
    private boolean isRead;

    ExecutedFlushes(Path path) {
        this.file = new StateFile(path, MAX_BYTES);
    }

    private void readOnce() {
        if (isRead) {
            return;
        }
        isRead = true;
        try {
            file.read()
                    .ifPresent(bytes ->
                            new String(bytes, StandardCharsets.UTF_8).lines().forEach(keys::add));
        } catch (IOException e) {
            LOG.warn(
                    "cluster=flushes_unreadable reason=\"{}\" effect=\"the last flushes are executed again\"",
                    ErrorText.of(e));
        }
    }

    /** Adds a flush; returns false if the file already contains it. */
    boolean add(String key) {
        readOnce();
        if (!keys.add(key)) {
            return false;
        }
        Iterator<String> oldest = keys.iterator();
        while (keys.size() > MAX) {
            oldest.next();
            oldest.remove();
        }
        write();
        return true;
    }

    private void write() {
        try {
            Files.createDirectories(file.path().getParent());
            file.replace((String.join("\n", keys) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.warn(
                    "cluster=flushes_not_saved reason=\"{}\" effect=\"flushes may be executed again after a restart\"",
                    ErrorText.of(e));
        }
    }
}
