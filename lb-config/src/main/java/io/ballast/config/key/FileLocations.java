package io.ballast.config.key;

import java.nio.file.Files;
import java.nio.file.Path;

/** Resolves the relative paths of files in a configuration. Stateless, apart from the file system. */
@FunctionalInterface
public interface FileLocations {

    /** Each path is relative to the file that contains it. */
    FileLocations AS_WRITTEN = (namedIn, resolved) -> resolved;

    /**
     * Returns the location of a file.
     *
     * @param namedIn the file that contains the relative path
     * @param resolved the path, resolved against {@code namedIn}; absolute and normalized
     */
    Path locate(Path namedIn, Path resolved);

    /**
     * Locations for a version of a cluster: if the version does not contain a file, its path is relative to the node's
     * own configuration file.
     *
     * @param version the absolute directory with the files of the version
     * @param own the absolute directory of the node's own file
     */
    static FileLocations ofVersion(Path version, Path own) {
        return (namedIn, resolved) -> {
            boolean isOfVersion = namedIn.toAbsolutePath().normalize().startsWith(version);
            boolean isInVersion = resolved.startsWith(version) && Files.exists(resolved);
            return isOfVersion && !isInVersion
                    ? own.resolve(version.relativize(resolved)).normalize()
                    : resolved;
        };
    }
}
