package io.ballast.core.geo;

import java.io.IOException;
import java.nio.file.Path;

/** A database that cannot be used; the message names the file and says why. */
public final class GeoDatabaseException extends IOException {

    GeoDatabaseException(Path file, String why) {
        super(file + ": " + why);
    }

    GeoDatabaseException(Path file, String why, Throwable cause) {
        super(file + ": " + why, cause);
    }
}
