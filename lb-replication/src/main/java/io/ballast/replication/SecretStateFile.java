package io.ballast.replication;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.cluster.secret.SecretKind;
import io.ballast.cluster.secret.SecretSet;
import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the last shared secrets that this node knows, encrypted. The next process uses them from its first
 * request on, before it has read the facts. The file has one line for each kind of secrets, with the name of the kind
 * and the encrypted set. Used by one thread at a time.
 */
public final class SecretStateFile {

    private static final Logger LOG = LoggerFactory.getLogger(SecretStateFile.class);
    private static final String NAME = "secrets.state";
    private static final int MAX_BYTES = 64 << 10;

    private final StateFile file;
    private final SecretCipher cipher;

    SecretStateFile(Path directory, SecretCipher cipher) {
        this.file = new StateFile(directory.resolve(NAME), MAX_BYTES);
        this.cipher = cipher;
    }

    /** Returns the last secrets of the cluster; none without a cluster, without its key, or without a readable file. */
    public static SharedSecrets read(BallastConfig config, Instant now) {
        return config.cluster()
                .flatMap(ClusterConfig::secretKey)
                .map(key -> new SecretStateFile(
                                config.dataDir().resolve(ClusterPart.DIRECTORY),
                                new SecretCipher(key, new SecureRandom()))
                        .read(now))
                .orElse(SharedSecrets.NONE);
    }

    private SharedSecrets read(Instant now) {
        Map<SecretKind, List<String>> secrets = new EnumMap<>(SecretKind.class);
        try {
            Optional<byte[]> bytes = file.read();
            for (String line : new String(bytes.orElse(new byte[0]), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                String[] parts = line.split(" ", /* limit= */ 2);
                SecretKind.of(parts[0])
                        .ifPresent(kind -> SecretText.decrypt(cipher, kind, parts[parts.length - 1])
                                .ifPresent(set -> secrets.put(kind, set.inUse(now))));
            }
        } catch (IOException e) {
            LOG.warn("cluster=secrets_unreadable file={} reason=\"{}\"", file.path(), ErrorText.reason(e));
        }
        return new SharedSecrets(secrets);
    }

    void write(Map<SecretKind, SecretSet> sets) {
        StringBuilder text = new StringBuilder();
        sets.forEach((kind, set) -> text.append(kind.label())
                .append(' ')
                .append(SecretText.encrypt(cipher, kind, set))
                .append('\n'));
        try {
            Files.createDirectories(file.path().getParent());
            file.replace(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.warn(
                    "cluster=secrets_not_saved file={} reason=\"{}\" effect=\"after a restart, this node begins with other"
                            + " secrets\"",
                    file.path(),
                    ErrorText.reason(e));
        }
    }
}
