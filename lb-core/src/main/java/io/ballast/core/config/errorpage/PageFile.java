package io.ballast.core.config.errorpage;

import java.nio.file.Path;

/** A file with an error page, and its content at the time when the configuration was read. */
public record PageFile(Path file, PageTemplate content) {}
