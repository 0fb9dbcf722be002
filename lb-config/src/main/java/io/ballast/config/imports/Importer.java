package io.ballast.config.imports;

import java.nio.file.Path;

/** Reads the configuration files of one other load balancer, such as HAProxy or nginx. */
@FunctionalInterface
public interface Importer {

    /**
     * Translates a file to Ballast's format, and reports the result for each of its directives.
     *
     * @throws ImportException if the file, or one that it includes, cannot be read
     */
    ImportedConfig read(Path file, ImportReport report) throws ImportException;
}
