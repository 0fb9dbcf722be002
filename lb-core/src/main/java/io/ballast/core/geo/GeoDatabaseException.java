package io.ballast.core.geo;

import java.io.IOException;
import java.nio.file.Path;

/** A database is not usable; the message names the file and the reason. */
public final class GeoDatabaseException extends IOException {

    GeoDatabaseException(Path file, String why) {
        super(file + ": " + why);
    }

    GeoDatabaseException(Path file, String why, Throwable cause) {
        super(file + ": " + why, cause);
    }
}
