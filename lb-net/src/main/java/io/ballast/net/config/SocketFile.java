package io.ballast.net.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * The permissions of a Unix socket's file. A client needs write permission to connect.
 *
 * @param mode the permissions in the notation of {@code chmod}, up to octal 777; by default the permissions that the
 *     process's umask allows
 * @param owner name or number of a user; by default the user of the process
 * @param group name or number of a group; by default the group of the process
 */
public record SocketFile(Optional<Integer> mode, Optional<String> owner, Optional<String> group) {

    public static final int MAX_MODE = 0777;

    /** The defaults of the system. */
    public static final SocketFile DEFAULT = new SocketFile(Optional.empty(), Optional.empty(), Optional.empty());

    public SocketFile {
        mode.ifPresent(value -> Checks.between(value, 0, MAX_MODE, "mode"));
    }
}
