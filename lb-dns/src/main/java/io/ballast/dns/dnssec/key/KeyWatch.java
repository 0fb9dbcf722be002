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
 * The keys of a zone, followed through changes of their files and through time. What cannot be used is logged once, and
 * the keys stay as they were: a running server does not stop signing because of a file.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class KeyWatch {

    private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);

    private final KeyDirectory directory;
    private Map<String, String> files;
    private List<ManagedKey> keys;
    private ZoneKeys current;
    private String lastProblem = "";

    /**
     * Reads the keys, after making the first one if there is none.
     *
     * @throws IOException if they cannot be read, written or used; the message names the file
     */
    public KeyWatch(KeyDirectory directory, KeyAlgorithm algorithm, Instant now) throws IOException {
        this.directory = directory;
        this.current = ZoneKeys.firstOrAt(now, directory, algorithm);
        this.files = files();
        this.keys = directory.load();
    }

    /** The keys as they were found last. */
    public ZoneKeys current() {
        return current;
    }

    /** Looks at the files and the time again; returns whether other keys are in use now, or the same for another purpose. */
    public boolean refresh(Instant now) {
        try {
            Map<String, String> found = files();
            if (!found.equals(files)) {
                keys = directory.load();
                // Remembered once they were read: what cannot be read now is read again.
                files = found;
            }
            ZoneKeys next = ZoneKeys.of(keys, now, directory);
            lastProblem = "";
            boolean changed = !next.isSame(current);
            if (changed) {
                LOG.info("zone={} active_key={} visible_keys={}", directory.zone(), next.active(), next.visible());
                current = next;
            }
            return changed;
        } catch (IOException e) {
            String problem = ErrorText.of(e);
            if (!problem.equals(lastProblem)) {
                LOG.error("zone={} msg=\"the keys stay as they were\" reason=\"{}\"", directory.zone(), problem);
                lastProblem = problem;
            }
            return false;
        }
    }

    /** What tells whether a file was replaced: names, times, sizes and identities. */
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
