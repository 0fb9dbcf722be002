package io.ballast.net.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * Who may connect to a Unix socket: those who may write to its file.
 *
 * @param mode its permissions as {@code chmod} takes them, up to octal 777; those that the process's umask leaves if absent
 * @param owner a user's name or number; the process's own if absent
 * @param group a group's name or number; the process's own if absent
 */
public record SocketFile(Optional<Integer> mode, Optional<String> owner, Optional<String> group) {

    public static final int MAX_MODE = 0777;

    /** What the system makes of it. */
    public static final SocketFile DEFAULT = new SocketFile(Optional.empty(), Optional.empty(), Optional.empty());

    public SocketFile {
        mode.ifPresent(value -> Checks.between(value, 0, MAX_MODE, "mode"));
    }
}
