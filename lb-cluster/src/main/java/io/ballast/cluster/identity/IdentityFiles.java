package io.ballast.cluster.identity;

import io.ballast.cluster.config.ClusterTls;
import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import io.ballast.net.tls.MutualTls;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of this node, which is read again when one of its files has changed. If the new files cannot be used,
 * or contain another name, the last certificate is kept, and a warning is logged. Thread-safe. Cost: three file system
 * accesses.
 */
public final class IdentityFiles implements Supplier<MutualTls> {

    private static final Logger LOG = LoggerFactory.getLogger(IdentityFiles.class);

    private final ClusterTls files;
    private List<FileState> states;
    private NodeIdentity current;

    /** @throws IOException as {@link NodeIdentity#load} does */
    public IdentityFiles(ClusterTls files) throws IOException {
        this.files = files;
        this.states = states();
        this.current = NodeIdentity.load(files);
    }

    /** The name of this node; never changes. */
    public synchronized String name() {
        return current.name();
    }

    @Override
    public synchronized MutualTls get() {
        List<FileState> now = states();
        if (!now.equals(states)) {
            states = now;
            reload();
        }
        return current.tls();
    }

    /** Returns when the certificate expires. Reads changed files, like {@link #get}. */
    public synchronized Instant expires() {
        MutualTls unused = get();
        return current.expires();
    }

    private void reload() {
        try {
            NodeIdentity next = NodeIdentity.load(files);
            if (next.name().equals(current.name())) {
                current = next;
                LOG.info("cluster=certificate_reloaded file={}", files.certificate());
            } else {
                LOG.warn(
                        "cluster=certificate_not_reloaded file={} reason=\"the name is {} (expected: {})\"",
                        files.certificate(),
                        next.name(),
                        current.name());
            }
        } catch (IOException e) {
            LOG.warn("cluster=certificate_not_reloaded reason=\"{}\"", ErrorText.of(e));
        }
    }

    private List<FileState> states() {
        return Stream.of(files.certificate(), files.key(), files.ca())
                .map(FileState::of)
                .toList();
    }
}
