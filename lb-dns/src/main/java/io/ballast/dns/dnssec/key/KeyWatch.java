package io.ballast.dns.dnssec.key;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the keys of a zone through changes of their files and state transitions. If a file is unusable, the problem is
 * logged once. The keys stay unchanged, so that a running server continues to sign.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class KeyWatch {

    private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);

    private final KeyDirectory directory;
    private final boolean isShared;
    private Map<String, String> files;
    private List<ManagedKey> keys;
    private ZoneKeySet current;
    private String lastProblem = "";

    /**
     * Reads the keys. If the zone has no keys, generates the first key.
     *
     * @throws IOException if the keys cannot be read, written or used; the message names the file
     */
    public KeyWatch(KeyDirectory directory, KeyAlgorithm algorithm, Instant now) throws IOException {
        this(directory, ZoneKeySet.loadOrCreate(now, directory, algorithm), /* isShared= */ false);
    }

    private KeyWatch(KeyDirectory directory, ZoneKeySet first, boolean isShared) throws IOException {
        this.directory = directory;
        this.isShared = isShared;
        this.current = first;
        this.files = files();
        this.keys = directory.loadBetweenChanges();
    }

    /**
     * Reads the keys of a zone whose keys are shared by the nodes of a cluster. Without key files, uses a key in memory
     * until the cluster sends its keys.
     *
     * @param withholds whether queries for a zone without key files are {@linkplain ZoneKeySet#isWithheld not answered}
     *     until then
     * @throws IOException if the keys cannot be read or used; the message names the file
     */
    public static KeyWatch shared(KeyDirectory directory, KeyAlgorithm algorithm, Instant now, boolean withholds)
            throws IOException {
        ZoneKeySet first = ZoneKeySet.loadShared(now, directory, algorithm, withholds);
        return new KeyWatch(directory, first, /* isShared= */ true);
    }

    /** Returns the keys from the last successful read. */
    public ZoneKeySet current() {
        return current;
    }

    /** Checks the key files and the key times again. Returns whether the keys or their states have changed. */
    public boolean refresh(Instant now) {
        try {
            Map<String, String> found = files();
            if (!found.equals(files)) {
                keys = directory.loadBetweenChanges();
                // Stored only after a successful read, so that a failed read is repeated.
                files = found;
            }
            if (isShared && keys.isEmpty()) {
                return false; // keep the current keys until the cluster sends its keys
            }
            ZoneKeySet next = ZoneKeySet.of(keys, now, directory);
            lastProblem = "";
            boolean changed = !next.isSame(current);
            if (changed) {
                LOG.info(
                        "zone={} msg=\"the DNSSEC keys have changed\" active_key={} visible_keys={}",
                        directory.zone(),
                        next.active(),
                        next.visible());
                current = next;
            }
            return changed;
        } catch (IOException e) {
            String problem = ErrorText.of(e);
            if (!problem.equals(lastProblem)) {
                LOG.error(
                        "zone={} msg=\"cannot use the key files; the keys in memory stay active\" reason=\"{}\"",
                        directory.zone(),
                        problem);
                lastProblem = problem;
            }
            return false;
        }
    }

    /** Returns the attributes of all files that change if a file is replaced: name, time, size and file key. */
    private Map<String, String> files() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.path(), "K*")) {
            for (Path entry : entries) {
                BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
                found.put(
                        entry.getFileName().toString(),
                        attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey());
            }
        }
        return found;
    }
}
