package io.ballast.server.host;

import io.ballast.config.BallastConfig;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks {@code data_dir} before it is used. A user who may write there can replace keys and state, and can redirect
 * writes of this process to any file through a symbolic link.
 *
 * <p>The directory must belong to the user of the process or to root, and other users must not be able to write to it.
 * Members of its group may write, because Kubernetes shares volumes by group.
 */
public final class DataDirectoryCheck {

    private static final Logger LOG = LoggerFactory.getLogger(DataDirectoryCheck.class);
    private static final String ROOT = "root";

    private final Path directory;
    private final String user;

    public DataDirectoryCheck(Path directory) {
        this(directory, System.getProperty("user.name", ""));
    }

    /** @param user the user of the process */
    public DataDirectoryCheck(Path directory, String user) {
        this.directory = directory;
        this.user = user;
    }

    /**
     * Returns the reason why this directory is not safe to use, with a remedy; empty if it is safe or missing, or
     * if the file system has no owners.
     */
    public Optional<String> securityProblem() {
        try {
            Path real = directory.toRealPath();
            if (!Files.isDirectory(real)) {
                return Optional.of(
                        place() + " is not a directory (expected: a directory, or a path that does not exist yet)");
            }
            UserPrincipal owner = Files.getOwner(real);
            if (!owner.getName().equals(user) && !owner.getName().equals(ROOT)) {
                return Optional.of(place() + " belongs to user " + owner.getName() + " (expected: to " + user
                        + ", who runs this process; chown " + user + " " + real + ")");
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real);
            if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                return Optional.of(place() + " is writable by all users (expected: only by its owner; run chmod o-w "
                        + real + ", or use another data_dir)");
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(directory)
                    ? Optional.of(place() + " is a broken symbolic link (expected: a directory)")
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty(); // unreadable; the code that needs the directory reports it
        }
    }

    private String place() {
        return "data_dir " + directory.toAbsolutePath().normalize();
    }

    /** Whether files can be created in the directory, or the directory itself can be created. */
    public boolean isWritable() {
        Path nearest = directory.toAbsolutePath().normalize();
        while (nearest != null && !Files.exists(nearest, LinkOption.NOFOLLOW_LINKS)) {
            nearest = nearest.getParent();
        }
        return nearest != null && Files.isDirectory(nearest) && Files.isWritable(nearest);
    }

    /**
     * Returns the parts of a configuration that need a writable directory. Each text begins with the key's
     * path, such as {@code dns.zones[0].update}.
     */
    public static List<String> partsThatNeedWrites(BallastConfig config) {
        List<String> needs = new ArrayList<>();
        for (int i = 0; i < config.listeners().size(); i++) {
            if (config.listeners()
                    .get(i)
                    .tls()
                    .filter(tls -> !tls.acme().isEmpty())
                    .isPresent()) {
                needs.add("listeners[" + i + "].tls.acme (keys and certificates must survive a restart)");
            }
        }
        List<ZoneConfig> zones = config.dns().map(DnsConfig::zones).orElse(List.of());
        for (int i = 0; i < zones.size(); i++) {
            ZoneConfig zone = zones.get(i);
            String place = "dns.zones[" + i + "]";
            if (zone.secondary().isPresent()) {
                needs.add(place + ".secondary (zone " + zone.name() + " must survive a restart)");
            }
            if (zone.update().isPresent()) {
                needs.add(place + ".update (updates of zone " + zone.name()
                        + " must be saved to disk before they are confirmed)");
            }
        }
        return needs;
    }

    /**
     * Explains why a configuration needs a writable directory; empty if it does not, or if this directory is
     * writable.
     */
    public List<String> problems(BallastConfig config) {
        return isWritable()
                ? List.of()
                : partsThatNeedWrites(config).stream()
                        .map(need -> place() + " cannot be written (expected: a directory that " + user
                                + " may write, for " + need + ")")
                        .toList();
    }

    /**
     * If the directory is not writable, reports in the log and the timeline which state will be lost at a
     * restart.
     */
    public static void reportIfReadOnly(BallastConfig config, ControlPlane control) {
        if (new DataDirectoryCheck(config.dataDir()).isWritable()) {
            return;
        }
        String text = "data_dir " + config.dataDir() + " cannot be written; a restart loses "
                + String.join(", ", stateLostAtRestart(config));
        LOG.warn("data_dir={} msg=\"{}\"", config.dataDir(), text);
        control.execute(() -> control.timeline().add(Origin.START, "ballast", text));
    }

    /** Describes the state that is lost at a restart if the directory cannot be written. */
    public static List<String> stateLostAtRestart(BallastConfig config) {
        List<String> lost = new ArrayList<>();
        lost.add("operators' changes to backends, weights and maintenance");
        if (config.pools().values().stream()
                .anyMatch(pool -> pool.strategy()
                        .sticky()
                        .filter(sticky -> sticky.keys().isEmpty())
                        .isPresent())) {
            lost.add("the key for sticky cookies");
        }
        if (config.pools().values().stream().anyMatch(pool -> !pool.discover().isEmpty())) {
            lost.add("discovered backends");
        }
        if (config.agents().isPresent()) {
            lost.add("registered agents and revoked tokens");
        }
        config.dns().flatMap(DnsConfig::forward).ifPresent(forward -> {
            if (forward.filter().isPresent()) {
                lost.add("downloaded filter lists and operators' rules");
            }
        });
        return lost;
    }
}
